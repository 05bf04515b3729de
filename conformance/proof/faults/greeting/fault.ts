import type {
  GreetingMiddleware,
  GreetingChoices,
  StreamMiddleware,
  GreetingRules,
} from '../../../../mocks/stateful/greeting.ts'
import type { Fault } from '../fault.ts'

/** Choices that are not the server's own: how it is run, and what its target file declares. */
export interface GreetingHosting {
  /** The full name of the service. */
  service: string
  /** Whether the target file names the service; otherwise it is found by reflection. */
  named: boolean
  /** Whether callers need a token. */
  token: boolean
  /** Whether the server uses TLS; `claimed`: the target file says so, but the server does not. */
  tls: boolean | 'claimed'
  /** False if the target file does not declare a relationship that the server keeps. */
  declared: boolean
}

/** How a greeting service differs from the reference: broken, or a variation. */
export interface GreetingDeviation {
  around?: GreetingMiddleware
  intercept?: StreamMiddleware
  rules?: Partial<GreetingRules>
  choices?: Partial<GreetingChoices & GreetingHosting>
}

export type GreetingFault = Fault<GreetingDeviation>
