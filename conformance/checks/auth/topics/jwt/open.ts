import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import type { ActingCheck } from '../../../../engine/index.ts'
import type { OpenPoint } from '../../../../wire/index.ts'
import { check, type WithAuth } from '../../support/define.ts'
import { mintOf, roundOf } from '../../support/jwt/round.ts'
import { fateOf } from '../../support/jwt/refusal-text.ts'

/** Records what becomes of tokens of which a server may think as it likes. */
const observing = (
  requirement: RequirementId,
  title: string,
  point: OpenPoint,
): ActingCheck<WithAuth> =>
  check(requirement, {
    title,
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async play(world) {
      const { main } = await roundOf(world)
      for (const { name, token } of (await mintOf(world))
        .open()
        .filter(({ open }) => open === point)) {
        world.observe(
          `a token ${name} is ${fateOf(await world.send(main.request(`Bearer ${token}`)))}`,
        )
      }
    },
  })

/** What pattern 2 leaves open. */
export const open = [
  observing('AUTH-JWT-22', 'what becomes of a token that never expires', 'no expiry'),
  observing('AUTH-JWT-23', 'what becomes of tokens with longer MACs', 'longer MAC'),
  observing('AUTH-JWT-24', 'what becomes of a token with padding', 'padding'),
  observing('AUTH-JWT-25', 'what becomes of a token that was issued in the future', 'future issue'),
  observing('AUTH-JWT-26', 'what becomes of a token that has just expired', 'leeway'),

  check('AUTH-JWT-28', {
    title: 'what becomes of a scheme in small letters',
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async play(world) {
      const { main } = await roundOf(world)
      world.observe(
        `a good token as bearer is ${fateOf(await world.send(main.request(`bearer ${(await mintOf(world)).good()}`)))}`,
      )
    },
  }),
]
