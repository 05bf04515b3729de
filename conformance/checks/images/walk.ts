import { NotCovered } from '../../engine/index.ts'
import { idsOf, that } from './expectations.ts'
import { check } from './define.ts'

const noneTwice = that<string[]>('meets no image twice', 'no image twice', (again) => again.length === 0, (again) => `${again.length} again: ${again.slice(0, 3).join(', ')}`)

/** Pages that a walk turns at most: an account of somebody's may be large. */
const longest = 40

export const walk = [
  check('IMG-LIST-04', {
    title: 'shows each image once over all pages',
    exclusive: 'run',
    async play({ store, listed, given, send, request, expectOf }) {
      const own = (await Promise.all(Array.from({ length: 5 }, () => store()))).map(({ id }) => id)
      await listed(own[4]!, true) // where writes settle late, the last one settles last
      const total = idsOf(await given(request.list({ per_page: 100 }))).length
      // A small account is walked in several pages all the same.
      const size = total < 100 ? Math.max(1, Math.ceil(total / 3)) : 100
      const ids: string[] = []
      let page = 1
      for (let ended = false; !ended; page += 4) {
        if (page > longest) throw new NotCovered(`the account has more than ${longest} pages of images, too many to walk as a guest`)
        const pages = await Promise.all([0, 1, 2, 3].map((step) => send(request.list({ page: page + step, per_page: size }))))
        for (const found of pages.map(idsOf)) {
          const met = new Set(ids)
          const again = found.filter((id, index) => met.has(id) || found.indexOf(id) !== index)
          expectOf(again, noneTwice)
          ids.push(...found)
          // A service may leave drafts out of a page that it counted: only an empty one is the end, or one that is refused.
          ended ||= found.length === 0
        }
      }
      const times = (id: string) => ids.filter((candidate) => candidate === id).length
      const met = own.map(times)
      expectOf(met, that('meets each of its own images once', '1, 1, 1, 1, 1', (counts: number[]) => counts.every((n) => n === 1), String))
    },
  }),
]
