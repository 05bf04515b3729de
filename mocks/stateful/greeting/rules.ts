import type { RuleRequirements } from '../../kit/requirements.ts'
import {
  decodeGreetingRequest,
  encodeGreetingResponse,
  type GreetingRequest,
  type GreetingResponse,
} from '../../../generated/greeting/index.ts'
import { isSecret } from '../http/secret.ts'
import type { GreetingChoices } from './choices.ts'
import { formatTimestamp, formatGreeting } from './wording.ts'

/**
 * The rules by which the server meets the contract, and the limits of this server. Faults replace
 * them one by one.
 */
export interface GreetingRules {
  /** Decodes a request. If it throws, the stream ends with status 13. */
  decode(bytes: Uint8Array): GreetingRequest
  encode(response: Partial<GreetingResponse>): Uint8Array
  /** The greeting for these requests, usually one. */
  formatMessage(requests: readonly GreetingRequest[], choices: GreetingChoices): string
  formatTimestamp(now: number, choices: GreetingChoices): string
  /** Whether the metadata `authorization` contains the bearer token. */
  acceptsToken(authorization: string | undefined, token: string): boolean
  /**
   * The maximum number of requests held for a later response. When it is reached, the held requests
   * are greeted at once.
   */
  maxHeldRequests: number
  /** The maximum number of request identifiers that are remembered for a stream. */
  maxKnownIds: number
}

export const defaultRules: Readonly<GreetingRules> = Object.freeze<GreetingRules>({
  decode: decodeGreetingRequest,
  encode: encodeGreetingResponse,
  formatMessage: formatGreeting,
  formatTimestamp,
  acceptsToken: (authorization, token) =>
    isSecret(/^Bearer (.*)$/i.exec(authorization ?? '')?.[1], token),
  maxHeldRequests: 100,
  maxKnownIds: 10_000,
})

export const ruleRequirements: RuleRequirements<GreetingRules> = {
  decode: ['GRT-REQUEST-01', 'GRT-REQUEST-02', 'GRT-GRPC-06'],
  encode: ['GRT-RPC-04', 'GRT-RESPONSE-01', 'GRT-RESPONSE-04'],
  formatMessage: ['GRT-RESPONSE-02', 'GRT-NAME-01', 'GRT-NAME-02'],
  formatTimestamp: ['GRT-RESPONSE-05', 'GRT-RESPONSE-06'],
  acceptsToken: ['GRT-AUTH-02', 'GRT-AUTH-03'],
  maxHeldRequests: { none: 'a limit of this server' },
  maxKnownIds: { none: 'a limit of this server' },
}
