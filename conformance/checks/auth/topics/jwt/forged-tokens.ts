import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import {
  type Expectation,
  NotCovered,
  labelled,
  type ActingCheck,
} from '../../../../engine/index.ts'
import type { Forgery } from '../../../../wire/index.ts'
import { check, type WithAuth } from '../../support/define.ts'
import { attemptsAtMain, getForgeryRound } from '../../support/jwt/forgery-round.ts'
import { expectEach, refused } from '../../support/jwt/refusal-text.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const fetchesNothing: Expectation<readonly string[]> = {
  name: 'does not follow the URLs of the token',
  expected: 'no request to the rogue key server',
  test: (paths) => paths.length === 0,
  received: (paths) => [...new Set(paths)].join(', '),
}

/** The key of the target file, other than the secret, without which a claim cannot be wrong. */
const neededKeys: Readonly<Partial<Record<Forgery, ToolsNeed>>> = {
  issuer: 'tools.auth.issuer',
  audience: 'tools.auth.audience',
}

/** A check of all tokens of one kind of forgery. */
const forgeryCheck = (
  requirement: RequirementId,
  title: string,
  forgery: Forgery,
): ActingCheck<WithAuth> =>
  check(requirement, {
    title,
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async run(world) {
      const round = await getForgeryRound(world)
      const attempts = attemptsAtMain(round).filter(({ forged }) => forged?.forgery === forgery)
      if (attempts.length === 0)
        throw new NotCovered<ToolsNeed>(
          'the target file does not contain enough to forge such tokens',
          [neededKeys[forgery] ?? 'tools.auth.secret'],
        )
      expectEach(
        world,
        attempts.map(({ forged, exchange }) => [
          [exchange],
          labelled(`a token ${forged!.name}`, refused),
        ]),
      )
      if (forgery === 'key') world.expectValue(round.requestedPaths, fetchesNothing)
    },
  })

export const forgedTokensChecks = [
  forgeryCheck('AUTH-JWT-06', 'refuses tokens whose signature does not match', 'secret'),
  forgeryCheck('AUTH-JWT-07', 'refuses tokens of other issuers', 'issuer'),
  forgeryCheck('AUTH-JWT-08', 'refuses tokens for other audiences', 'audience'),
  forgeryCheck('AUTH-JWT-09', 'refuses unsigned tokens', 'unsigned'),
  forgeryCheck('AUTH-JWT-10', 'refuses tokens with other algorithms', 'algorithm'),
  forgeryCheck('AUTH-JWT-11', 'trusts no key that a token contains or links to', 'key'),
  forgeryCheck('AUTH-JWT-12', 'refuses tokens with unknown critical extensions', 'critical'),
  forgeryCheck('AUTH-JWT-13', 'refuses expired tokens', 'expiry'),
  forgeryCheck('AUTH-JWT-14', 'refuses tokens that are not valid yet', 'begin'),
  forgeryCheck('AUTH-JWT-15', 'refuses strings that are not a signed JWT with claims', 'form'),
]
