import type { RuleRequirements } from '../../kit/requirements.ts'
import {
  decodeGreetingRequest,
  encodeGreetingResponse,
  type GreetingRequest,
  type GreetingResponse,
} from '../../../generated/greeting/index.ts'
import { isSecret } from '../http/secret.ts'
import type { GreetingChoices } from './choices.ts'
import { timeIn, worded } from './words.ts'

/** What the document demands, and the bounds of this server, replaced one by one by faults. */
export interface GreetingRules {
  /** Reads a request; what it throws ends the stream with status 13. */
  decode(bytes: Uint8Array): GreetingRequest
  encode(response: Partial<GreetingResponse>): Uint8Array
  /** The greeting for these requests, mostly a single one. */
  message(requests: readonly GreetingRequest[], choices: GreetingChoices): string
  timestamp(now: number, choices: GreetingChoices): string
  /** Whether the value of the metadata `authorization` is the bearer token. */
  grants(authorization: string | undefined, token: string): boolean
  /** Requests that may wait for a later response. Beyond them those that wait are answered at once. */
  keptRequests: number
  /** Identifiers of a stream that are remembered, where they are at all. */
  keptIds: number
}

export const defaultRules: Readonly<GreetingRules> = Object.freeze<GreetingRules>({
  decode: decodeGreetingRequest,
  encode: encodeGreetingResponse,
  message: worded,
  timestamp: timeIn,
  grants: (authorization, token) =>
    isSecret(/^Bearer (.*)$/i.exec(authorization ?? '')?.[1], token),
  keptRequests: 100,
  keptIds: 10_000,
})

export const ruleRequirements: RuleRequirements<GreetingRules> = {
  decode: ['GRT-REQUEST-01', 'GRT-REQUEST-02', 'GRT-GRPC-06'],
  encode: ['GRT-RPC-04', 'GRT-RESPONSE-01', 'GRT-RESPONSE-04'],
  message: ['GRT-RESPONSE-02', 'GRT-NAME-01', 'GRT-NAME-02'],
  timestamp: ['GRT-RESPONSE-05', 'GRT-RESPONSE-06'],
  grants: ['GRT-AUTH-02', 'GRT-AUTH-03'],
  keptRequests: { none: 'a bound of this server' },
  keptIds: { none: 'a bound of this server' },
}
