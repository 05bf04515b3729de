import { HttpDoor, Pictures } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { checks } from './topics/index.ts'
import { Left } from './support/cleanup.ts'
import { Requests, type ImagesAccess } from './support/requests.ts'
import { ImagesWorld } from './support/world.ts'

/** The parts of a target file that the image contract needs. */
export interface ImagesTarget {
  images?: ImagesAccess | undefined
  suite: {
    settle: number
    pictures?: { listen?: string | undefined; publicUrl?: string | undefined } | undefined
  }
}

/** A server of the image hosting API. */
export const images = subject({
  section: 'images',
  checks,
  open({ images: access, suite }: ImagesTarget, surroundings) {
    if (access === undefined) throw new Error('the target has no images section')
    const door = new HttpDoor(surroundings)
    const left = new Left(new Requests(access))
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
