import type { RuleRequirements } from '../../kit/requirements.ts'
import { addressOf } from '../../deliveries/address.ts'
import { eventOf, events, type EventName, type Flag } from '../../deliveries/events.ts'
import { isHeaderValue } from '../../deliveries/headers.ts'
import { isSecret } from '../http/secret.ts'
import type { Hook } from './store.ts'

/**
 * The rules by which this service meets the contract, and the limits of this service. They are
 * values and small functions, so that each can be replaced alone. The defaults conform to the
 * contract; a replacement is a deliberate fault.
 */
export interface HooksRules {
  /** Whether a PRIVATE-TOKEN is the expected one. */
  acceptsToken(token: string | undefined, expected: string): boolean
  isKnownProject(project: string, expected: string): boolean
  /** Whether a call may use a hook of the project `own` under the path of the project `named`. */
  isOwnProject(named: string, own: string): boolean
  /**
   * Whether a hook receives an event that happened in a project. `flag` is the flag of the event.
   * `action` is what happened, such as `close`, if the request that triggered the event named it.
   */
  receivesEvent(hook: Hook, flag: Flag, project: string, action?: string): boolean
  /** The event that the last path segment of a test call names. */
  eventOf(flag: string): EventName | undefined

  isUrl(value: unknown): boolean
  isToken(value: unknown): boolean
  isFlag(value: unknown): boolean
  /** Reads a flag of a form; undefined if it is invalid. */
  parseFlag(text: string): boolean | undefined
  /** The defaults of push_events and enable_ssl_verification. */
  pushByDefault: boolean
  verifiesByDefault: boolean

  /** The secret in the deliveries of a hook; undefined for none. */
  secretOf(hook: Hook): string | undefined
  eventHeaderOf(event: EventName, trigger: Flag): string
  verifiesTls(hook: Hook): boolean
  /** Whether this status of a receiver acknowledges the delivery. */
  isAcknowledgement(status: number | undefined): boolean
  /** Timeout of a delivery in milliseconds. */
  deliveryTimeoutMs: number
  /** Milliseconds before the first retry, doubled for each further retry. */
  retryDelayMs: number

  /** Maximum number of concurrent deliveries of one hook. */
  concurrency: number
  /** Maximum number of waiting deliveries of one hook. */
  queueLimit: number
  /** Maximum number of recorded attempts to deliver to one hook. */
  recentLimit: number
}

export const defaultRules: Readonly<HooksRules> = Object.freeze<HooksRules>({
  acceptsToken: isSecret,
  isKnownProject: (project, expected) => project === expected,
  isOwnProject: (named, own) => named === own,
  receivesEvent: (hook, flag, project) => hook.project === project && hook[flag],
  eventOf,

  isUrl: (value) => typeof value === 'string' && addressOf(value) !== undefined,
  isToken: (value) => typeof value === 'string' && isHeaderValue(value),
  isFlag: (value) => typeof value === 'boolean',
  parseFlag: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  pushByDefault: true,
  verifiesByDefault: true,

  secretOf: ({ token }) => token,
  eventHeaderOf: (event) => events[event].header,
  verifiesTls: (hook) => hook.enable_ssl_verification,
  isAcknowledgement: (status) => status !== undefined && status >= 200 && status < 300,
  deliveryTimeoutMs: 10_000,
  retryDelayMs: 100,

  concurrency: 16,
  queueLimit: 10_000,
  recentLimit: 50,
})

export const ruleRequirements: RuleRequirements<HooksRules> = {
  acceptsToken: ['HOOK-AUTH-01', 'HOOK-AUTH-02', 'HOOK-AUTH-03', 'HOOK-AUTH-04', 'HOOK-AUTH-05'],
  isKnownProject: ['HOOK-CREATE-06'],
  isOwnProject: ['HOOK-TEST-06'],
  receivesEvent: [
    'HOOK-SERVICE-01',
    'EVT-PUSH-01',
    'EVT-PUSH-04',
    'EVT-TAGPUSH-01',
    'EVT-TAGPUSH-04',
    'EVT-ISSUE-01',
    'EVT-ISSUE-04',
    'EVT-MERGEREQUEST-01',
    'EVT-MERGEREQUEST-04',
    'EVT-PIPELINE-01',
    'EVT-PIPELINE-04',
    'EVT-JOB-01',
    'EVT-JOB-04',
    'EVT-DEPLOYMENT-01',
    'EVT-DEPLOYMENT-04',
    'EVT-WIKIPAGE-01',
    'EVT-WIKIPAGE-04',
    'EVT-RELEASE-01',
    'EVT-RELEASE-04',
  ],
  eventOf: ['HOOK-TEST-01', 'HOOK-TEST-04'],
  isUrl: ['HOOK-CONFIG-02', 'HOOK-CONFIG-03'],
  isToken: ['HOOK-CONFIG-04', 'HOOK-CONFIG-05'],
  isFlag: ['HOOK-CONFIG-17', 'HOOK-CONFIG-21'],
  parseFlag: ['HOOK-CREATE-03'],
  pushByDefault: ['HOOK-CONFIG-07'],
  verifiesByDefault: ['HOOK-CONFIG-20'],
  secretOf: ['EVT-HEADER-01', 'EVT-HEADER-02'],
  eventHeaderOf: ['EVT-HEADER-03'],
  verifiesTls: ['EVT-AUTH-01', 'EVT-AUTH-02'],
  isAcknowledgement: ['EVT-RECEIVER-01'],
  deliveryTimeoutMs: ['EVT-RECEIVER-16'],
  retryDelayMs: ['EVT-DELIVERY-06'],
  concurrency: { none: 'a limit of this server' },
  queueLimit: { none: 'a limit of this server' },
  recentLimit: { none: 'a limit of this server' },
}
