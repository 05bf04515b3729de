import type { HttpExchange, HttpRequest } from '../../wire/index.ts'

/**
 * Sends a request with a body several times, on several connections. Sends the first half of each
 * body before the rest of any, so that the server can process them together, even if the machine of
 * the suite is busy.
 */
export function sendTogether(
  send: (request: HttpRequest) => Promise<HttpExchange>,
  request: HttpRequest,
  count = 2,
): Promise<HttpExchange[]> {
  let arrived = 0
  let release!: () => void
  const all = new Promise<void>((resolve) => (release = resolve))
  const arrive = () => {
    arrived += 1
    if (arrived >= count) release()
    return all
  }
  return Promise.all(
    Array.from({ length: count }, async () => {
      const exchange = await send({ ...request, betweenHalves: arrive })
      // If this connection failed before its first half was sent, the others must not wait for it.
      void arrive()
      return exchange
    }),
  )
}
