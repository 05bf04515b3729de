import type { EventName, Flag } from '../../deliveries/events.ts'
import { defaultForm, type ReplyForm, type HeaderCase } from '../http/reply.ts'

/**
 * What the contract leaves open, one field for each choice. The first value is the default. The
 * service conforms to the contract with every combination. The fields of `ReplyForm` apply to
 * responses of the API.
 */
export interface HooksChoices extends ReplyForm {
  // Responses of the API
  createdStatus: 201 | 200
  /** The response to a creation: the record, the record in a field `hook`, or only its location. */
  record: 'flat' | 'nested' | 'location'
  hookIds: 'integer' | 'digits' | 'uuid'
  /** The default of flags other than push_events. */
  flagDefault: false | true
  /** Whether to accept a url that is not an absolute http or https URL. */
  invalidUrls: 'refuse' | 'accept'
  /** The accepted bodies of a creation: JSON and forms, only JSON, or only forms. */
  formBodies: 'accept' | 'refuse' | 'only'
  unknownFields: 'ignore' | 'refuse'
  /** Whether an empty token is sent, or counts as no token. */
  emptyToken: 'none' | 'sent'
  testStatus: 201 | 200 | 202 | 204
  /** Whether a test call responds only after the receiver has responded. */
  testAwaitsDelivery: false | true
  /** What a test call does for an event that the hook's flags disable. */
  unsetFlag: 'delivers' | 'ignores' | 'refuses'
  /** Which events can be tested: `listed` are the nine events of the contract. */
  testEvents: 'all' | 'listed' | 'push'
  /** The status for a missing or wrong access token. */
  unauthorizedStatus: 401 | 403 | 404
  /** The status for an unknown project, hook or event. */
  missingStatus: 404 | 400 | 403
  /** The status for an invalid body or field. */
  invalidStatus: 400 | 422
  failureBody: 'message' | 'error' | 'empty'

  // Deliveries and attempts
  /**
   * Which sample payloads (examples in specs/examples) are sent: the named ones, or all in
   * turn. If no payload is named for an event, its default payload is sent. For some events, two
   * payloads alternate instead (see `alternating` in example-name.ts).
   */
  examples: Readonly<Partial<Record<EventName, string>>> | 'rotating'
  /** Whether each delivery has new ids and timestamps. */
  payloadIds: 'new' | 'sample'
  /** How many copies of each delivery are sent. */
  copies: 1 | 2
  /** How many retries follow a delivery that was not acknowledged. */
  retries: 0 | 1 | 2 | 3
  /**
   * After how many consecutive unacknowledged deliveries a hook is disabled; 0 means never. Test
   * calls of a disabled hook are refused.
   */
  disabledAfter: number
  /** The value of X-Hook-Event for confidential issues. */
  confidentialHeader: 'Issue Hook' | 'Confidential Issue Hook'

  /** For the flag of an event, the flags of further events that this event causes. */
  furtherEvents: Readonly<Partial<Record<Flag, readonly Flag[]>>>
  /**
   * Whether an event with an action is preceded by events with the earlier actions of the life
   * cycle: an issue is opened before it is closed.
   */
  earlierActions: boolean
  /**
   * What the service does with actions that the contract does not list as causes: delivers events
   * that name them, delivers updates, delivers nothing, or refuses to cause them.
   */
  furtherActions: 'name' | 'update' | 'ignore' | 'refuse'

  // Payloads
  /** Optional fields: as in the sample payload, null, or omitted. */
  optionalFields: 'sample' | 'null' | 'absent'
  /** The email addresses of users. */
  emails: 'shown' | 'redacted' | 'empty'
  /** The ISO 8601 format of commit times. */
  commitTimes: 'sample' | 'Z' | 'offset' | 'millis'
  payloadExtraFields: false | true
  payloadKeyOrder: 'natural' | 'reversed'
  payloadPretty: false | true

  // Requests
  extraHeaders: 'none' | 'ids' | 'signature'
  userAgent: 'product' | 'comment' | 'foreign'
  deliveryCharset: false | true
  deliveryChunked: false | true
  deliveryHeaderCase: HeaderCase
  deliveryKeepAlive: true | false
}

export const defaultChoices: Readonly<HooksChoices> = Object.freeze({
  ...defaultForm,
  createdStatus: 201,
  record: 'flat',
  hookIds: 'integer',
  flagDefault: false,
  invalidUrls: 'refuse',
  formBodies: 'accept',
  unknownFields: 'ignore',
  emptyToken: 'none',
  testStatus: 201,
  testAwaitsDelivery: false,
  unsetFlag: 'delivers',
  testEvents: 'all',
  unauthorizedStatus: 401,
  missingStatus: 404,
  invalidStatus: 400,
  failureBody: 'message',
  examples: Object.freeze({}),
  payloadIds: 'new',
  copies: 1,
  retries: 0,
  disabledAfter: 0,
  confidentialHeader: 'Issue Hook',
  furtherEvents: Object.freeze({}),
  earlierActions: false,
  furtherActions: 'name',
  optionalFields: 'sample',
  emails: 'shown',
  commitTimes: 'sample',
  payloadExtraFields: false,
  payloadKeyOrder: 'natural',
  payloadPretty: false,
  extraHeaders: 'none',
  userAgent: 'product',
  deliveryCharset: false,
  deliveryChunked: false,
  deliveryHeaderCase: 'canonical',
  deliveryKeepAlive: true,
})
