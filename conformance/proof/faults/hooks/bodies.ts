import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onMessage, withHeader, withoutHeader } from './building.ts'

const json = ({ body }: OutgoingDelivery) => JSON.stringify(body)
/** Sends other bytes in place of the JSON of a payload. */
const sendsBytes = (
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

/** Announces a payload as something else. */
const announces = (
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

/** How a delivery is sent, whatever its event is. */
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
    'payload-is-a-form',
    'Sends the payload as a field of a form.',
    ['EVT-DELIVERY-03', 'EVT-DELIVERY-04'],
    onMessage((delivery) =>
      withHeader(
        { ...delivery, raw: new URLSearchParams({ payload: json(delivery) }).toString() },
        'Content-Type',
        'application/x-www-form-urlencoded',
      ),
    ),
  ),
  sendsBytes(
    'payload-is-a-list',
    'Sends a list of one payload.',
    (delivery) => `[${json(delivery)}]`,
  ),
  sendsBytes('payload-is-a-text', 'Sends JSON that is the text of JSON.', (delivery) =>
    JSON.stringify(json(delivery)),
  ),
  sendsBytes('payload-is-empty', 'Sends deliveries without a body.', () => ''),
  sendsBytes(
    'payload-is-doubled',
    'Writes a payload twice, line by line.',
    (delivery) => `${json(delivery)}\n${json(delivery)}`,
  ),
  sendsBytes(
    'payload-is-markup',
    'Sends XML.',
    ({ event }) => `<?xml version="1.0"?><event>${event}</event>`,
  ),

  announces('payload-is-announced-as-text', 'Announces payloads as plain text.', 'text/plain'),
  announces(
    'payload-is-announced-as-a-form',
    'Announces payloads as a form.',
    'application/x-www-form-urlencoded',
  ),
  fault(
    'payload-is-not-announced',
    'Sends no Content-Type.',
    ['EVT-DELIVERY-04'],
    onMessage((delivery) => withoutHeader(delivery, 'Content-Type')),
  ),
]
