import { on } from '../../../../engine/index.ts'
import { check } from '../define.ts'
import { roundOf, type Tried } from './round.ts'
import { expectEach, refused } from './telling.ts'

/** Every request is judged by its own header. */
export const places = [
  check('AUTH-JWT-16', {
    title: 'asks for a good token at every place and in every session',
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async play(world) {
      const { main, tried } = await roundOf(world)
      const others = [...new Set(tried.map(({ place }) => place))].filter((place) => place !== main)
      const answers = (name: string, test: (one: Tried) => boolean) => tried.filter((one) => one.place.name === name && test(one)).map((one) => one.answer)
      expectEach(world, [...others, main].flatMap(({ name }) => [
        [answers(name, ({ forged }) => forged === undefined), on(`${name} without a header`, refused)],
        // A token that is refused nowhere is told by the row that it breaks.
        [answers(name, ({ forged }) => forged !== undefined && isRefusedAt(forged.name)), on(`${name} with a bad token`, refused)],
      ] as const))

      function isRefusedAt(token: string): boolean {
        return tried.some(({ place, forged, answer }) => place === main && forged?.name === token && refused.judge(answer).held)
      }
    },
  }),
]
