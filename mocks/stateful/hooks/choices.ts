import type { EventName } from '../../deliveries/events.ts'
import { defaultForm, type ReplyForm, type HeaderCase } from '../http/reply.ts'

/**
 * What the document leaves open, one field for each freedom. The value named first is the default.
 * Whatever is chosen here, the service keeps the document. The members of `ReplyForm` are about answers of the API.
 */
export interface HooksChoices extends ReplyForm {
  // Answers of the API
  createdStatus: 201 | 200
  /** What a creation answers: the record, the record in a member `hook`, or nothing but where it is. */
  record: 'flat' | 'nested' | 'location'
  hookIds: 'integer' | 'digits' | 'uuid'
  /** What flags other than push_events are where nobody sets them. */
  otherFlags: false | true
  /** Whether a url is taken that is no absolute http or https address. */
  otherUrls: 'refuse' | 'accept'
  /** Whether creations may come as forms too. */
  formBodies: 'accept' | 'refuse'
  unknownFields: 'ignore' | 'refuse'
  /** Whether an empty token counts as one that is set. */
  emptyToken: 'none' | 'sent'
  testStatus: 201 | 200 | 202 | 204
  /** Whether a test call is answered at once or when the receiver has answered. */
  testWaits: false | true
  /** What a test call of an event does that the hook's flags do not turn on. */
  unsetFlag: 'delivers' | 'ignores' | 'refuses'
  /** Which events can be tested. */
  testEvents: 'all' | 'push'
  /** Whether a hook can be tested below its own project only. */
  testsBelow: 'own' | 'any'
  unauthorizedStatus: 401 | 403 | 404
  /** For an unknown project, hook or event. */
  missingStatus: 404 | 400 | 403
  invalidStatus: 400 | 422
  failureBody: 'message' | 'error' | 'empty'

  // What is sent, and how often
  /** Which golden payloads are sent: for each event the one named here, else its fullest; or one after the other. */
  examples: Readonly<Partial<Record<EventName, string>>> | 'rotating'
  /** Whether each delivery tells of another happening, with ids and times of its own. */
  happenings: 'new' | 'golden'
  /** How often each delivery is sent. */
  copies: 1 | 2
  /** How often a delivery is tried again that nobody acknowledged. */
  retries: 0 | 1 | 2 | 3
  /** After how many deliveries in a row that nobody acknowledged a hook is given up, so that its tests are refused; 0 is never. */
  givenUpAfter: number
  confidentialHeader: 'Issue Hook' | 'Confidential Issue Hook'

  // Payloads
  /** Members that may be without a value: as in the golden payload, null, or left out. */
  optionalMembers: 'golden' | 'null' | 'absent'
  /** The addresses of users. */
  emails: 'shown' | 'redacted' | 'empty'
  /** In which form of ISO 8601 commits carry their time. */
  commitTimes: 'golden' | 'Z' | 'offset' | 'millis'
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
  otherFlags: false,
  otherUrls: 'refuse',
  formBodies: 'accept',
  unknownFields: 'ignore',
  emptyToken: 'none',
  testStatus: 201,
  testWaits: false,
  unsetFlag: 'delivers',
  testEvents: 'all',
  testsBelow: 'own',
  unauthorizedStatus: 401,
  missingStatus: 404,
  invalidStatus: 400,
  failureBody: 'message',
  examples: Object.freeze({}),
  happenings: 'new',
  copies: 1,
  retries: 0,
  givenUpAfter: 0,
  confidentialHeader: 'Issue Hook',
  optionalMembers: 'golden',
  emails: 'shown',
  commitTimes: 'golden',
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
