import { HttpClient, ImageServer } from '../../wire/index.ts'
import { LastRequests, maxCleanMs } from '../shared/last-requests.ts'
import { subject } from '../shared/subject.ts'
import { preflight } from './preflight.ts'
import { checks } from './topics/index.ts'
import { ImagesCleanup } from './support/cleanup.ts'
import { ImageStates } from './support/image-states.ts'
import { Painter } from './support/test-images.ts'
import { ImagesWorld } from './support/world.ts'
import type { ImagesTarget } from './target.ts'

/** A server of the image hosting API. */
export const images = subject({
  checks,
  preflight,
  async cleanLater(target: ImagesTarget, environment, leftovers, { force }) {
    const client = new HttpClient(environment)
    const cleanup = new ImagesCleanup(target, environment.journal)
    const last = new LastRequests(client, environment, maxCleanMs)
    const foreign = await cleanup.restore(leftovers, { last, force })
    const remaining = [...foreign, ...(await cleanup.deleteRemaining(last))]
    client.close()
    return remaining
  },
  open(target: ImagesTarget, environment) {
    const { suite } = environment
    const targetUrls = [target.url, target.batch?.url, target.upload, target.delivery].filter(
      (url) => url !== undefined,
    )
    const cleanup = new ImagesCleanup(target, environment.journal)
    const states = new ImageStates()
    const client = new HttpClient({
      ...environment,
      targetUrls,
      onRequest: (request) => {
        cleanup.announce(request)
        states.announce(request)
      },
    })
    let server: Promise<ImageServer> | undefined
    const painter = new Painter(environment.random)
    const reads = { areStale: false, fetched: new Set<string>() }
    const targetClock = {}
    return {
      world: (context) =>
        new ImagesWorld(context, {
          target,
          client,
          cleanup,
          painter,
          prefix: cleanup.prefix,
          settleMs: suite.settle,
          reads,
          states,
          targetClock,
          imageServer: () => (server ??= ImageServer.start(suite.pictures ?? {})),
          isImageServerDeclared: suite.pictures !== undefined,
          isThrowaway: environment.throwaway,
        }),
      cleanUp: (world) => world.cleanUp(),
      async close(throwaway) {
        const remaining = throwaway
          ? []
          : await cleanup.deleteRemaining(new LastRequests(client, environment))
        await (await server)?.close()
        client.close()
        return remaining
      },
    }
  },
})
