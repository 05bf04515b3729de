import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onMessage, withHeader, withoutHeader } from './building.ts'

const json = ({ body }: OutgoingDelivery) => JSON.stringify(body)
/** Replaces the JSON of a payload with other bytes. */
const replaceBytes = (
  name: string,
  description: string,
  raw: (delivery: OutgoingDelivery) => string,
): HooksFault =>
  fault(
    name,
    description,
    ['EVT-DELIVERY-03'],
    onMessage((delivery) => ({ ...delivery, raw: raw(delivery) })),
  )

/** Changes the Content-Type of deliveries. */
const replaceMediaType = (
  name: string,
  description: string,
  type: string,
  violates: readonly RequirementId[] = ['EVT-DELIVERY-04'],
): HooksFault =>
  fault(
    name,
    description,
    violates,
    onMessage((delivery) => withHeader(delivery, 'Content-Type', type)),
  )

/** Faults in the method, the body and the media type of all deliveries. */
export const bodies: readonly HooksFault[] = [
  fault(
    'delivers-by-get',
    'Sends deliveries by GET.',
    ['EVT-DELIVERY-01'],
    onMessage((delivery) => ({ ...delivery, method: 'GET' })),
  ),
  fault(
    'delivers-by-put',
    'Sends deliveries by PUT.',
    ['EVT-DELIVERY-01'],
    onMessage((delivery) => ({ ...delivery, method: 'PUT' })),
  ),

  fault(
    'declares-gzip',
    'Sends Content-Encoding: gzip with bodies that are not compressed.',
    ['EVT-DELIVERY-03'],
    onMessage((delivery) => withHeader(delivery, 'Content-Encoding', 'gzip')),
  ),
  fault(
    'payload-is-a-form',
    'Sends the payload as a form field.',
    ['EVT-DELIVERY-03', 'EVT-DELIVERY-04'],
    onMessage((delivery) =>
      withHeader(
        { ...delivery, raw: new URLSearchParams({ payload: json(delivery) }).toString() },
        'Content-Type',
        'application/x-www-form-urlencoded',
      ),
    ),
  ),
  replaceBytes(
    'payload-is-a-list',
    'Sends the payload in an array.',
    (delivery) => `[${json(delivery)}]`,
  ),
  replaceBytes(
    'payload-is-a-string',
    'Sends the JSON of the payload as a JSON string.',
    (delivery) => JSON.stringify(json(delivery)),
  ),
  replaceBytes('payload-is-empty', 'Sends deliveries without a body.', () => ''),
  replaceBytes(
    'payload-is-doubled',
    'Sends each payload twice in one body, on two lines.',
    (delivery) => `${json(delivery)}\n${json(delivery)}`,
  ),
  replaceBytes(
    'payload-is-markup',
    'Sends XML instead of JSON.',
    ({ event }) => `<?xml version="1.0"?><event>${event}</event>`,
  ),

  fault(
    'payload-begins-with-a-mark',
    'Writes a byte order mark before each payload.',
    ['EVT-DELIVERY-07'],
    onMessage((delivery) => ({ ...delivery, raw: `\ufeff${json(delivery)}` })),
  ),
  fault(
    'payload-of-one-event-begins-with-a-mark',
    'Writes a byte order mark before the payloads of pushes.',
    ['EVT-DELIVERY-07'],
    onMessage(
      (delivery) => ({ ...delivery, raw: `\ufeff${json(delivery)}` }),
      ({ event }) => event === 'push',
    ),
  ),

  replaceMediaType(
    'payload-has-media-type-text',
    'Sends payloads with the media type text/plain.',
    'text/plain',
  ),
  replaceMediaType(
    'payload-is-announced-as-a-form',
    'Sends payloads with the media type of a form.',
    'application/x-www-form-urlencoded',
  ),
  fault(
    'payload-is-not-announced',
    'Sends no Content-Type.',
    ['EVT-DELIVERY-04'],
    onMessage((delivery) => withoutHeader(delivery, 'Content-Type')),
  ),
]
