// A receiver with Hono.
//
//   serve({ fetch: receiver(process.env.HOOK_TOKEN ?? '', handle).fetch, port: 9000 })
import { Hono } from 'hono'
import { DeliveryError, parseDelivery, verifyToken } from 'touchstone/events'
import type { Handle } from './handle.ts'

export function receiver(token: string, handle: Handle): Hono {
  const app = new Hono()
  app.post('/hook', async (context) => {
    const { headers } = context.req.raw
    if (!verifyToken(headers, token)) return context.text('wrong token\n', 401)
    try {
      handle(parseDelivery(headers, new Uint8Array(await context.req.arrayBuffer())))
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      // A later version of the sender can send new events, which a receiver acknowledges.
      if (error.code !== 'event-unknown') return context.text(error.message, 400)
    }
    return context.body(null, 204)
  })
  return app
}
