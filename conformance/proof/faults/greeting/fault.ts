import type {
  GreetingMiddleware,
  GreetingChoices,
  StreamMiddleware,
  GreetingRules,
} from '../../../../mocks/stateful/greeting.ts'
import type { Fault } from '../fault.ts'

/**
 * Choices of the operator, not of the server: how the server is run, and what its target file
 * declares.
 */
export interface GreetingHosting {
  /** The full name of the service. */
  service: string
  /** Whether the target file names the service; otherwise it is found by reflection. */
  named: boolean
  /** Whether callers need a token. */
  token: boolean
  /**
   * Whether the server uses TLS. With `claimed`, the target file declares TLS, but the server does
   * not use it.
   */
  tls: boolean | 'claimed'
  /**
   * Whether the target file declares the relationship between requests and responses, such as
   * one-to-one, that the server keeps.
   */
  declared: boolean
}

/**
 * How a greeting service differs from the stateful mock, by a fault or by a conforming variation.
 */
export interface GreetingDeviation {
  around?: GreetingMiddleware
  intercept?: StreamMiddleware
  rules?: Partial<GreetingRules>
  choices?: Partial<GreetingChoices & GreetingHosting>
}

export type GreetingFault = Fault<GreetingDeviation>
