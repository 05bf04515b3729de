import { HttpDoor, Pictures } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { checks } from './topics/index.ts'
import { ImagesCleanup } from './support/cleanup.ts'
import { ImagesRequests } from './support/requests.ts'
import { ImagesWorld } from './support/world.ts'
import type { ImagesTarget } from './target.ts'

/** A server of the image hosting API. */
export const images = subject({
  checks,
  open(access: ImagesTarget, surroundings) {
    const { suite } = surroundings
    const door = new HttpDoor(surroundings)
    const left = new ImagesCleanup(new ImagesRequests(access))
    let pictures: Promise<Pictures> | undefined
    return {
      world: (context) =>
        new ImagesWorld(context, {
          access,
          door,
          left,
          prefix: left.prefix,
          settle: suite.settle,
          pictures: () => (pictures ??= Pictures.listen(suite.pictures ?? {})),
          picturesDeclared: suite.pictures !== undefined,
          throwaway: surroundings.throwaway,
        }),
      leave: (world) => world.leave(),
      async finish(throwaway) {
        const remaining = throwaway ? [] : await left.clear(door)
        await (await pictures)?.close()
        door.close()
        return remaining
      },
    }
  },
})
