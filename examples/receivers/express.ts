// A receiver with Express.
//
//   receiver(process.env.HOOK_TOKEN ?? '', handle).listen(9000)
import express, { type Express } from 'express'
import { DeliveryError, parseDelivery, verifyToken } from 'touchstone/events'
import type { Handle } from './handle.ts'

export function receiver(token: string, handle: Handle): Express {
  const app = express()
  // Bytes of any type, so that parseDelivery also explains a body that is not JSON.
  const body = express.raw({ type: () => true, limit: '5mb' })
  app.post('/hook', body, (request, response) => {
    if (!verifyToken(request.headers, token)) {
      response.status(401).send('wrong token\n')
      return
    }
    try {
      handle(parseDelivery(request.headers, request.body))
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      // A later version of the sender can send new events, which a receiver acknowledges.
      if (error.code !== 'event-unknown') {
        response.status(400).type('text/plain').send(error.message)
        return
      }
    }
    response.status(204).end()
  })
  return app
}
