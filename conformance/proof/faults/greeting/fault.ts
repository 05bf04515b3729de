import type {
  GreetingMiddleware,
  GreetingChoices,
  StreamMiddleware,
  GreetingRules,
} from '../../../../mocks/stateful/greeting.ts'
import type { Fault } from '../fault.ts'

/** How a server is run, and what its target file tells of it, beside the choices that it makes itself. */
export interface GreetingHosting {
  /** The full name of its service. */
  service: string
  /** Whether the target file names the service, or leaves that to reflection. */
  named: boolean
  /** Whether callers need a token. */
  token: boolean
  /** Whether it speaks TLS; a server of which that is claimed does not. */
  tls: boolean | 'claimed'
  /** False where the target file keeps silent on a relationship that the server keeps. */
  declared: boolean
}

/** How a faulty greeting service differs from the correct one. */
export interface GreetingDeviation {
  around?: GreetingMiddleware
  intercept?: StreamMiddleware
  rules?: Partial<GreetingRules>
  choices?: Partial<GreetingChoices & GreetingHosting>
}

export type GreetingFault = Fault<GreetingDeviation>
