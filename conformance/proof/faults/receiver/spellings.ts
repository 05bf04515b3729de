import type { ReceiverFault } from './fault.ts'
import { fault, onDelivery, valuesAt, type ReadDelivery } from './building.ts'
import type { ReceiverCall } from '../../../../mocks/stateful/receiver.ts'

const text = ({ bytes }: ReadDelivery) => bytes.toString()

const refuse = (
  name: string,
  description: string,
  violates: ReceiverFault['violates'],
  matches: (delivery: ReadDelivery, call: ReceiverCall) => boolean,
  status = 400,
): ReceiverFault =>
  fault(
    name,
    description,
    violates,
    onDelivery(() => (delivery, call) => (matches(delivery, call) ? status : undefined)),
  )

/** Receivers that read only some spellings or values of JSON. */
export const spellings: readonly ReceiverFault[] = [
  refuse(
    'indented-bodies-are-refused',
    'Refuses bodies with line breaks.',
    ['EVT-RECEIVER-26'],
    (delivery) => text(delivery).trim().includes('\n'),
  ),
  refuse(
    'bodies-begin-with-a-brace',
    'Refuses bodies that begin with white space.',
    ['EVT-RECEIVER-26'],
    (delivery) => /^\s/.test(text(delivery)),
  ),
  refuse(
    'other-products-are-refused',
    'Refuses deliveries whose User-Agent names another product than the usual one.',
    ['EVT-RECEIVER-29'],
    (_delivery, { headers }) => !(headers['user-agent'] ?? '').startsWith('Touchstone'),
    403,
  ),
  refuse(
    'comments-are-refused',
    'Refuses deliveries whose User-Agent has a comment.',
    ['EVT-RECEIVER-29'],
    (_delivery, { headers }) => (headers['user-agent'] ?? '').includes('('),
  ),
  refuse(
    'unknown-headers-are-refused',
    'Refuses deliveries with unknown headers whose names begin with X-Touchstone.',
    ['EVT-RECEIVER-29'],
    (_delivery, { headers }) => headers['x-touchstone-extra'] !== undefined,
  ),
  refuse(
    'many-headers-are-refused',
    'Refuses deliveries with more than thirty headers.',
    ['EVT-RECEIVER-29'],
    (_delivery, { headers }) => Object.keys(headers).length > 30,
    431,
  ),
  refuse(
    'order-of-members-matters',
    'Refuses bodies whose first member is not the usual one (object_kind or id).',
    ['EVT-RECEIVER-26'],
    (delivery) =>
      delivery.payload !== undefined && !/^\{\s*"(object_kind|id)"/.test(text(delivery)),
    422,
  ),
  refuse(
    'escapes-are-refused',
    'Refuses bodies with escaped characters beyond ASCII.',
    ['EVT-RECEIVER-26'],
    (delivery) => /\\u[\da-f]{4}/i.test(text(delivery)),
  ),
  refuse(
    'characters-beyond-16-bits-are-refused',
    'Returns 500 for payloads with characters beyond 16 bits.',
    ['EVT-RECEIVER-26'],
    (delivery) => /[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(delivery.payload ?? '')),
    500,
  ),
  refuse(
    'charset-is-refused',
    'Refuses a media type with a charset.',
    ['EVT-RECEIVER-26'],
    (_delivery, { headers }) => /charset/i.test(headers['content-type'] ?? ''),
    415,
  ),
  refuse(
    'capitals-in-the-media-type-are-refused',
    'Refuses media types that are not written in lower case.',
    ['EVT-RECEIVER-26'],
    (_delivery, { headers }) => !(headers['content-type'] ?? '').startsWith('application/json'),
    415,
  ),
  refuse(
    'large-ids-are-refused',
    'Refuses ids of users, objects, jobs and deployments beyond 32 bits.',
    ['EVT-RECEIVER-27'],
    ({ payload }) =>
      [['user_id'], ['user', 'id'], ['object_attributes', 'id'], ['build_id'], ['deployment_id']]
        .flatMap((path) => valuesAt(payload, path))
        .some((id) => typeof id === 'number' && id > 2 ** 32),
    422,
  ),
  refuse(
    'second-assignee-is-refused',
    'Returns 500 for an issue with two assignees.',
    ['EVT-RECEIVER-03'],
    ({ event, payload }) =>
      event === 'Issue Hook' && valuesAt(payload, ['assignees', '*', 'id']).length > 1,
    500,
  ),
]
