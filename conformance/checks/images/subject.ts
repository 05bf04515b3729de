import { HttpClient, ImageServer } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { checks } from './topics/index.ts'
import { ImagesCleanup } from './support/cleanup.ts'
import { ImagesRequests } from './support/requests.ts'
import { ImagesWorld } from './support/world.ts'
import type { ImagesTarget } from './target.ts'

/** A server of the image hosting API. */
export const images = subject({
  checks,
  open(target: ImagesTarget, environment) {
    const { suite } = environment
    const targetUrls = [target.url, target.batch?.url, target.delivery].filter(
      (url) => url !== undefined,
    )
    const client = new HttpClient({ ...environment, targetUrls })
    const cleanup = new ImagesCleanup(new ImagesRequests(target))
    let server: Promise<ImageServer> | undefined
    const reads = { areStale: false }
    return {
      world: (context) =>
        new ImagesWorld(context, {
          target,
          client,
          cleanup,
          prefix: cleanup.prefix,
          settleMs: suite.settle,
          reads,
          imageServer: () => (server ??= ImageServer.start(suite.pictures ?? {})),
          isImageServerDeclared: suite.pictures !== undefined,
          isThrowaway: environment.throwaway,
        }),
      cleanUp: (world) => world.cleanUp(),
      async close(throwaway) {
        const remaining = throwaway ? [] : await cleanup.deleteRemaining(client)
        await (await server)?.close()
        client.close()
        return remaining
      },
    }
  },
})
