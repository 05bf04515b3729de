import { NotCovered } from '../../engine/index.ts'
import { check } from './define.ts'
import { idsOf, isRefusal, that } from './expectations.ts'
import type { ImagesWorld } from './world.ts'

/** Pages that a walk turns at most: an account of somebody's may be large. */
const longest = 40

/** The ids on all pages in turn, pages of that size; ends early where an image comes again. */
async function walked({ send, request }: ImagesWorld, size: number): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; page <= longest; page += 4) {
    const pages = await Promise.all([0, 1, 2, 3].map((step) => send(request.list({ page: page + step, per_page: size }))))
    const found = pages.map(idsOf)
    ids.push(...found.flat())
    // A service may leave drafts out of a page that it counted: only an empty page is the end, or one that is refused.
    if (found.some((list) => list.length === 0) || pages.some(isRefusal) || again(ids).length > 0) return ids
  }
  throw new NotCovered(`the account has more than ${longest} pages of images, too many to walk as a guest`)
}

const again = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index)

export const walk = [
  check('IMG-LIST-04', {
    title: 'shows each image once over all pages',
    exclusive: 'run',
    async play(world) {
      const { store, listed, given, request, expectOf } = world
      const own = (await Promise.all(Array.from({ length: 5 }, () => store()))).map(({ id }) => id)
      await listed(own[4]!, true) // where writes settle late, the last one settles last
      const total = idsOf(await given(request.list({ per_page: 100 }))).length
      // A small account is walked in several pages all the same.
      const size = total < 100 ? Math.max(1, Math.ceil(total / 3)) : 100
      const times = (ids: readonly string[]) => own.map((id) => ids.filter((candidate) => candidate === id).length)
      const sound = (ids: readonly string[]) => again(ids).length === 0 && times(ids).every((count) => count === 1)
      // The suite stands still meanwhile, but somebody else may write, and pages shift: only what goes wrong each time is wrong.
      let ids = await walked(world, size)
      for (let attempt = 1; attempt < 3 && !sound(ids); attempt += 1) ids = await walked(world, size)
      const twice = again(ids)
      expectOf(twice, that('meets no image twice', 'no image twice', (list) => list.length === 0, (list) => `${list.length} again: ${list.slice(0, 3).join(', ')}`))
      expectOf(times(ids), that('meets each of its own images once', '1, 1, 1, 1, 1', (counts: number[]) => counts.every((count) => count === 1), String))
    },
  }),
]
