import { randomInt } from 'node:crypto'
import type { HttpExchange } from '../../wire/index.ts'
import type { Preflight } from '../shared/subject.ts'
import { Deliveries } from './support/deliveries.ts'
import { makeUnique } from './support/unique-payload.ts'
import type { ReceiverTarget } from './target.ts'

/**
 * Explains why a receiver refused several genuine deliveries in the same way. Undefined if the
 * responses differ, or prove nothing: the receiver may be broken.
 */
function explainRefusal(
  [first, ...others]: readonly [HttpExchange, ...HttpExchange[]],
  { secret }: ReceiverTarget,
): string | undefined {
  const { status, request } = first
  if (others.some((exchange) => exchange.status !== status)) return undefined
  const where = `${request.method} ${request.url}`
  if (status === 401 || status === 403)
    return secret === undefined
      ? `${status} for ${where}: the receiver expects a secret: set receiver.secret (RECEIVER_SECRET).`
      : `${status} for ${where}: receiver.secret (RECEIVER_SECRET) was refused.`
  if (status === 404 || status === 405)
    return `${status} for ${where}: check the path in receiver.url.`
  if (status !== undefined && status >= 300 && status < 400)
    return `${status} for ${where}, to ${JSON.stringify(first.header('location') ?? 'no Location')}: correct receiver.url.`
  return undefined
}

export const preflight: Preflight<ReceiverTarget> = {
  addresses: ({ url }) => ({ 'receiver.url': url }),
  /** Sends two genuine deliveries, like those of the checks. */
  async findMistake(target, client) {
    let number = randomInt(1e6, 2 ** 30)
    const deliveries = new Deliveries(target, (payload) => makeUnique(payload, (number += 1)))
    const [event = deliveries.defaultEvent, other = event] = target.events
    return explainRefusal(
      [
        await client.send(deliveries.buildDelivery(event)),
        await client.send(deliveries.buildDelivery(other)),
      ],
      target,
    )
  },
}
