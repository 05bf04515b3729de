import type { Check, Clock, Context, Gate } from '../engine/index.ts'
import { HttpDoor, Pictures, type HttpExchange, type Secrets } from '../wire/index.ts'
import { checks, ImagesWorld, Left, Requests, type ImagesAccess } from './images/index.ts'

/** What every contract is opened with. */
export interface Surroundings {
  gate: Gate
  clock: Clock
  /** Milliseconds for one exchange. */
  timeout: number
  secrets: Secrets
}

/** The parts of a target file that the image contract needs. */
interface ImagesTarget {
  images?: ImagesAccess | undefined
  suite: { settle: number; pictures?: { listen?: string | undefined; publicUrl?: string | undefined } | undefined }
}

/** A contract opened for one run. */
export interface Opened<World> {
  world(context: Context<HttpExchange>): World
  /** Tidies up after a check that has played. */
  leave(world: World): Promise<void>
  /** Ends what was played, and deletes what was made unless the target is thrown away. Names what could not be deleted. */
  finish(throwaway: boolean): Promise<string[]>
}

export interface Contract {
  readonly name: string
  /** The section of the target file that names its target. */
  readonly section: 'images'
  readonly checks: readonly Check<ImagesWorld, HttpExchange>[]
  open(target: ImagesTarget, surroundings: Surroundings): Opened<ImagesWorld>
}

const images: Contract = {
  name: 'images',
  section: 'images',
  checks,
  open({ images: access, suite }, surroundings) {
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
}

/** The contracts, in the order in which they are judged. */
export const contracts: readonly Contract[] = [images]
