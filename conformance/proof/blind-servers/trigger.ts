import { json } from 'node:stream/consumers'
import { startLoopback } from './loopback.ts'

/**
 * Forwards requests for events to an author's endpoint, which also requires the project. `nameOf`
 * returns the author's name of an event; the suite sends its flag.
 */
export const startTrigger = (
  url: string,
  project: number,
  nameOf: (flag: string) => string = (flag) => flag,
) =>
  startLoopback((request, response) => {
    void json(request)
      .then((body) => {
        const { event, ...rest } = body as { event: string }
        return fetch(url, {
          method: 'POST',
          body: JSON.stringify({ ...rest, event: nameOf(event), project }),
        })
      })
      .then(({ status }) => response.writeHead(status).end())
  })
