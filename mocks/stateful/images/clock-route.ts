import type { Route } from '../http/server.ts'
import type { ImagesContext } from './call.ts'
import { readJson } from './json-body.ts'

/**
 * The route that moves this server's clock: `POST /_touchstone/clock` with `{"offsetSeconds": N}`.
 */
export function clockRoute({ clock }: ImagesContext): Route {
  return {
    method: 'POST',
    path: '/_touchstone/clock',
    handle: ({ env }) =>
      readJson(env.incoming)
        .then((body) => {
          const seconds = (body as { offsetSeconds?: unknown } | undefined | null)?.offsetSeconds
          // Dates with a much larger offset are not valid.
          if (typeof seconds !== 'number' || !(Math.abs(seconds) <= 1e10))
            throw new Error('offsetSeconds must be a number of seconds')
          clock.offset = seconds * 1000
          return { status: 200, body: { now: new Date(clock.now()).toISOString() } }
        })
        .catch((error: unknown) => ({
          status: 400,
          body: { error: error instanceof Error ? error.message : String(error) },
        })),
  }
}
