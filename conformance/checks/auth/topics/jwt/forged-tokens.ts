import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import {
  type Expectation,
  NotCovered,
  labelled,
  type ActingCheck,
} from '../../../../engine/index.ts'
import type { Forgery } from '../../../../wire/index.ts'
import { check, type WithAuth } from '../../support/define.ts'
import { atMain, roundOf } from '../../support/jwt/round.ts'
import { expectEach, refused } from '../../support/jwt/refusal-text.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const nothing: Expectation<readonly string[]> = {
  name: 'fetches nothing for it',
  expected: 'no request where forged tokens point',
  test: (paths) => paths.length === 0,
  received: (paths) => [...new Set(paths)].join(', '),
}

/** What has to be told, beside the secret, before a token can get it wrong. */
const needs: Readonly<Partial<Record<Forgery, ToolsNeed>>> = {
  issuer: 'tools.auth.issuer',
  audience: 'tools.auth.audience',
}

/** A check of all tokens that get one thing wrong. */
const checkOf = (
  requirement: RequirementId,
  title: string,
  forgery: Forgery,
): ActingCheck<WithAuth> =>
  check(requirement, {
    title,
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async play(world) {
      const round = await roundOf(world)
      const tried = atMain(round).filter(({ forged }) => forged?.forgery === forgery)
      if (tried.length === 0)
        throw new NotCovered<ToolsNeed>('too little is told to forge such tokens', [
          needs[forgery] ?? 'tools.auth.secret',
        ])
      expectEach(
        world,
        tried.map(({ forged, answer }) => [[answer], labelled(`a token ${forged!.name}`, refused)]),
      )
      if (forgery === 'key') world.expectOf(round.fetched, nothing)
    },
  })

/** What verifies, and what does not. */
export const forged = [
  checkOf('AUTH-JWT-06', 'refuses tokens that the secret did not sign as they are', 'secret'),
  checkOf('AUTH-JWT-07', 'refuses tokens of other issuers', 'issuer'),
  checkOf('AUTH-JWT-08', 'refuses tokens for other audiences', 'audience'),
  checkOf('AUTH-JWT-09', 'refuses tokens that say that they are not signed', 'unsigned'),
  checkOf('AUTH-JWT-10', 'refuses tokens of other algorithms', 'algorithm'),
  checkOf('AUTH-JWT-11', 'trusts no key that a token brings or points to', 'key'),
  checkOf('AUTH-JWT-12', 'refuses tokens with critical extensions that nobody knows', 'critical'),
  checkOf('AUTH-JWT-13', 'refuses tokens that have expired', 'expiry'),
  checkOf('AUTH-JWT-14', 'refuses tokens whose time has not yet come', 'begin'),
  checkOf('AUTH-JWT-15', 'refuses what is no signed JWT of claims', 'form'),
]
