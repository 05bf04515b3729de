import type { RuleRequirements } from '../../kit/requirements.ts'
import { events } from '../../deliveries/events.ts'
import { isSecret } from '../http/secret.ts'

/** What the document demands and advises, replaced one by one by faults. */
export interface ReceiverRules {
  /** Whether the X-Hook-Token of a delivery is the secret. */
  trusts(given: string | undefined, secret: string): boolean
  isKnownEvent(header: string | undefined): boolean
  /** Bodies above this are refused with 413. */
  maxBodyBytes: number
  /** Milliseconds that pass before a delivery is answered. The document advises less than ten seconds. */
  answerAfterMs: number
  /** Milliseconds that the work for a delivery takes, after the answer. */
  workMs: number
  /** Deliveries that may wait for their work; beyond them the receiver answers 503. */
  queueLimit: number
  /** Deliveries that are remembered. */
  keptDeliveries: number
  /** Payloads above this are not remembered. */
  keptBytes: number
}

const known = new Set([
  ...Object.values(events).map(({ header }) => header),
  'Confidential Issue Hook',
])

export const defaultRules: Readonly<ReceiverRules> = Object.freeze<ReceiverRules>({
  trusts: (given, secret) => secret === '' || isSecret(given, secret),
  isKnownEvent: (header) => header !== undefined && known.has(header),
  maxBodyBytes: 32 * 1024 * 1024,
  answerAfterMs: 0,
  workMs: 0,
  queueLimit: 10_000,
  keptDeliveries: 100,
  keptBytes: 64 * 1024,
})

export const ruleRequirements: RuleRequirements<ReceiverRules> = {
  trusts: ['EVT-RECEIVER-10', 'EVT-RECEIVER-11'],
  isKnownEvent: ['EVT-RECEIVER-20'],
  maxBodyBytes: ['EVT-RECEIVER-22'],
  answerAfterMs: ['EVT-RECEIVER-16'],
  workMs: ['EVT-RECEIVER-17'],
  queueLimit: { none: 'a bound of this server' },
  keptDeliveries: { none: 'a bound of this server' },
  keptBytes: { none: 'a bound of this server' },
}
