import type { RuleRequirements } from '../../kit/requirements.ts'
import { events } from '../../deliveries/events.ts'
import { isSecret } from '../http/secret.ts'

/**
 * The rules by which the receiver meets the requirements and recommendations of the contract. They
 * are values and small functions, which faults replace.
 */
export interface ReceiverRules {
  /** Whether the X-Hook-Token of a delivery is the secret. */
  acceptsToken(token: string | undefined, secret: string): boolean
  isKnownEvent(header: string | undefined): boolean
  /** The value of the header Allow in a 405 response; undefined omits the header. */
  allowedMethods(): string | undefined
  /** Larger bodies are refused with 413. */
  maxBodyBytes: number
  /**
   * Delay before the response in milliseconds. The contract recommends a response within ten
   * seconds.
   */
  responseDelayMs: number
  /** Milliseconds that processing a delivery takes, after the response. */
  workMs: number
  /** Maximum number of deliveries that wait for processing; further ones are refused with 503. */
  queueLimit: number
  /** How many of the latest deliveries are kept. */
  keptDeliveries: number
  /** Maximum length of a body whose payload is kept. */
  keptBytes: number
}

const knownEvents = new Set([
  ...Object.values(events).map(({ header }) => header),
  'Confidential Issue Hook',
])

export const defaultRules: Readonly<ReceiverRules> = Object.freeze<ReceiverRules>({
  acceptsToken: (token, secret) => secret === '' || isSecret(token, secret),
  isKnownEvent: (header) => header !== undefined && knownEvents.has(header),
  allowedMethods: () => 'POST',
  maxBodyBytes: 32 * 1024 * 1024,
  responseDelayMs: 0,
  workMs: 0,
  queueLimit: 10_000,
  keptDeliveries: 100,
  keptBytes: 64 * 1024,
})

export const ruleRequirements: RuleRequirements<ReceiverRules> = {
  acceptsToken: ['EVT-RECEIVER-10', 'EVT-RECEIVER-11', 'EVT-RECEIVER-31'],
  isKnownEvent: ['EVT-RECEIVER-20'],
  allowedMethods: ['EVT-RECEIVER-33'],
  maxBodyBytes: ['EVT-RECEIVER-22'],
  responseDelayMs: ['EVT-RECEIVER-16'],
  workMs: ['EVT-RECEIVER-17'],
  queueLimit: { none: 'a limit of this server' },
  keptDeliveries: { none: 'a limit of this server' },
  keptBytes: { none: 'a limit of this server' },
}
