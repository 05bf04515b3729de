// A receiver as a fetch handler: for Deno, Bun, Cloudflare Workers and many frameworks.
//
//   export default { fetch: receiver(process.env.HOOK_TOKEN ?? '', handle) }
import { DeliveryError, parseDelivery, verifyToken } from 'touchstone/events'
import type { Handle } from './handle.ts'

export function receiver(token: string, handle: Handle) {
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST')
      return new Response('POST deliveries\n', { status: 405, headers: { Allow: 'POST' } })
    if (!verifyToken(request.headers, token)) return new Response('wrong token\n', { status: 401 })
    try {
      handle(parseDelivery(request.headers, new Uint8Array(await request.arrayBuffer())))
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      // A later version of the sender can send new events, which a receiver acknowledges.
      if (error.code !== 'event-unknown') return new Response(error.message, { status: 400 })
    }
    return new Response(null, { status: 204 })
  }
}
