// A receiver with node:http, without a framework.
//
//   receiver(process.env.HOOK_TOKEN ?? '', handle).listen(9000)
import { createServer, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { DeliveryError, parseDelivery, verifyToken } from 'touchstone/events'
import type { Handle } from './handle.ts'

export function receiver(token: string, handle: Handle): Server {
  return createServer((request, response) => {
    const respond = (status: number, text = '', headers = {}) =>
      response.writeHead(status, headers).end(text)
    buffer(request)
      .then((body) => {
        if (request.method !== 'POST') return respond(405, 'POST deliveries\n', { Allow: 'POST' })
        if (!verifyToken(request.headers, token)) return respond(401, 'wrong token\n')
        handle(parseDelivery(request.headers, body))
        return respond(204)
      })
      .catch((error: unknown) => {
        if (!(error instanceof DeliveryError)) return respond(500)
        // A later version of the sender can send new events, which a receiver acknowledges.
        return error.code === 'event-unknown' ? respond(204) : respond(400, error.message)
      })
  })
}
