import type { HttpExchange, HttpRequest } from '../../wire/index.ts'

type Send = (request: HttpRequest) => Promise<HttpExchange>

/**
 * Sends the first halves of the bodies of these requests, each on a separate connection, and the
 * rest when the promise of `until` is settled. `until` receives a promise that resolves when all
 * first halves were sent.
 */
export function sendInHalves(
  send: Send,
  requests: readonly HttpRequest[],
  until: (allSent: Promise<void>) => Promise<unknown>,
): Promise<HttpExchange[]> {
  let pending = requests.length
  let resolveAll!: () => void
  const released = until(new Promise<void>((resolve) => (resolveAll = resolve)))
  // If no first half was sent, nothing waits for this promise. Its failure is that of `until`.
  released.catch(() => {})
  const count = () => {
    pending -= 1
    if (pending === 0) resolveAll()
  }
  return Promise.all(
    requests.map(async (request) => {
      let isSent = false
      const betweenHalves = () => {
        isSent = true
        count()
        return released
      }
      const exchange = await send({ ...request, betweenHalves })
      // If this connection failed before its first half was sent, the others must not wait for it.
      if (!isSent) count()
      return exchange
    }),
  )
}

/**
 * Sends a request with a body several times, on several connections. Sends the first half of each
 * body before the rest of any, so that the server can process them together, even if the machine of
 * the suite is busy.
 */
export const sendTogether = (
  send: Send,
  request: HttpRequest,
  count = 2,
): Promise<HttpExchange[]> =>
  sendInHalves(
    send,
    Array.from({ length: count }, () => request),
    (allSent) => allSent,
  )
