import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import type { ActingCheck } from '../../../../engine/index.ts'
import type { OpenPoint } from '../../../../wire/index.ts'
import { check, type WithAuth } from '../../support/define.ts'
import { getMint, getForgeryRound } from '../../support/jwt/forgery-round.ts'
import { describeHandling } from '../../support/jwt/refusal-text.ts'

/** Defines a check that records how the server handles tokens that it may accept or refuse. */
const openCheck = (
  requirement: RequirementId,
  title: string,
  point: OpenPoint,
): ActingCheck<WithAuth> =>
  check(requirement, {
    title,
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async run(world) {
      const { mainEndpoint } = await getForgeryRound(world)
      for (const { name, token } of (await getMint(world))
        .open()
        .filter(({ open }) => open === point)) {
        const exchange = await world.send(mainEndpoint.request(`Bearer ${token}`))
        world.observe(`a token ${name} is ${describeHandling(exchange)}`)
      }
    },
  })

/** Checks of the open requirements of the pattern `jwt`. */
export const openChecks = [
  openCheck('AUTH-JWT-22', 'records how a token without an expiry is handled', 'no expiry'),
  openCheck(
    'AUTH-JWT-23',
    'records how tokens with other HMAC algorithms are handled',
    'longer MAC',
  ),
  openCheck('AUTH-JWT-24', 'records how a token with base64 padding is handled', 'padding'),
  openCheck(
    'AUTH-JWT-25',
    'records how a token that was issued in the future is handled',
    'future issue',
  ),
  openCheck(
    'AUTH-JWT-29',
    'records how a token with an empty crit header is handled',
    'empty crit',
  ),
  openCheck(
    'AUTH-JWT-30',
    'records how a token whose future expiry is a string is handled',
    'text expiry',
  ),
  openCheck('AUTH-JWT-26', 'records how a token that has just expired is handled', 'leeway'),
]
