import { labelled } from '../../../../engine/index.ts'
import { check } from '../../support/define.ts'
import { roundOf, type TokenAttempt } from '../../support/jwt/round.ts'
import { expectEach, refused } from '../../support/jwt/refusal-text.ts'

/** Every request is judged by its own header. */
export const places = [
  check('AUTH-JWT-16', {
    title: 'asks for a good token at every place and in every session',
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async play(world) {
      const { main, tried } = await roundOf(world)
      const others = [...new Set(tried.map(({ place }) => place))].filter((place) => place !== main)
      const answers = (name: string, test: (one: TokenAttempt) => boolean) =>
        tried.filter((one) => one.place.name === name && test(one)).map((one) => one.answer)
      // A token that is let in at the main place is told by the row that it breaks.
      const bad = new Set(
        tried.flatMap(({ place, forged, answer }) =>
          place === main && refused.test(answer) ? (forged?.name ?? []) : [],
        ),
      )
      expectEach(world, [
        ...[main, ...others].map(
          ({ name }) =>
            [
              answers(name, ({ forged }) => forged === undefined),
              labelled(`${name} without a header`, refused),
            ] as const,
        ),
        ...others.map(
          ({ name }) =>
            [
              answers(name, ({ forged }) => forged !== undefined && bad.has(forged.name)),
              labelled(`${name} with a bad token`, refused),
            ] as const,
        ),
      ])
    },
  }),
]
