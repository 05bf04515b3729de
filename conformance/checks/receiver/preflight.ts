import { randomInt } from 'node:crypto'
import { explainRejection } from '../shared/rejected-requests.ts'
import type { Preflight } from '../shared/subject.ts'
import { Deliveries } from './support/deliveries.ts'
import { makeUnique } from './support/unique-payload.ts'
import type { ReceiverTarget } from './target.ts'

const keys = {
  url: 'receiver.url',
  part: 'a part of its path',
  token: 'receiver.secret',
  variable: 'RECEIVER_SECRET',
}

export const preflight: Preflight<ReceiverTarget> = {
  addresses: ({ url }) => ({ 'receiver.url': url }),
  /** Sends two genuine deliveries, like those of the checks. */
  async findMistake(target, client) {
    let number = randomInt(1e6, 2 ** 30)
    const deliveries = new Deliveries(target, (payload) => makeUnique(payload, (number += 1)))
    const [event = deliveries.defaultEvent, other = event] = target.events
    const exchanges = await Promise.all(
      [event, other].map((name) => client.send(deliveries.buildDelivery(name))),
    )
    const { status, request } = exchanges[0]!
    // A receiver that does not respond is not a mistake in the target file.
    if (status === undefined) return undefined
    const explanation = explainRejection(exchanges, keys)
    return explanation !== undefined &&
      target.secret === undefined &&
      (status === 401 || status === 403)
      ? `${status} for ${request.method} ${request.url}: the receiver expects a secret: set receiver.secret (RECEIVER_SECRET).`
      : explanation
  },
}
