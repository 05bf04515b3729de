import type { Route } from '../http/server.ts'
import type { ImagesContext } from './call.ts'
import { readJson } from './json-body.ts'

/** The way to move this server's clock from outside: `POST /_touchstone/clock` with `{"offsetSeconds": N}`. */
export function clockDoor({ clock }: ImagesContext): Route {
  return {
    method: 'POST',
    path: '/_touchstone/clock',
    open: ({ env }) =>
      readJson(env.incoming)
        .then((body) => {
          const seconds = (body as { offsetSeconds?: unknown } | undefined | null)?.offsetSeconds
          // Beyond that, dates end.
          if (typeof seconds !== 'number' || !(Math.abs(seconds) <= 1e10))
            throw new Error('offsetSeconds has to be a number of seconds')
          clock.offset = seconds * 1000
          return { status: 200, body: { now: new Date(clock.now()).toISOString() } }
        })
        .catch((error: unknown) => ({
          status: 400,
          body: { error: error instanceof Error ? error.message : String(error) },
        })),
  }
}
