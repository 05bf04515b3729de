import {
  exchangeAgedCode,
  noLongerWorks,
  requireWorkingToken,
} from '../../support/oauth/token-use.ts'
import { Blocked, type Expectation, labelled, NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { sendTogether } from '../../../shared/send-together.ts'
import { check, oauth } from '../../support/define.ts'
import type { Tokens } from '../../support/grant.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import { hasStatus, refusedWith, served } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'

const refreshNoLongerWorks: Expectation<HttpExchange> = {
  name: 'the refresh token no longer works',
  expected: 'status 400',
  test: ({ status }) => status === 400,
}

/**
 * Exchanges a code twice. Expects that the tokens which `issue` makes of the first ones no longer
 * work.
 */
async function expectRevokedAfterReuse(
  world: AuthWorld,
  issue: (first: Tokens) => Promise<Tokens>,
): Promise<void> {
  const client = await ownClient(world)
  await world.runInFinalStage(async () => {
    const grant = await world.obtainGrant({}, client)
    const request = await world.newTokenRequest(grant)
    const tokens = await issue(world.readTokens(await world.sendOrBlock(request), grant))
    await requireWorkingToken(world, tokens.access)
    const again = await world.send(request)
    if (isServed(again)) throw new Blocked('AUTH-TOKEN-10', again.summary)
    for (const response of await world.useToken(tokens.access))
      world.expect(response, noLongerWorks)
    if (tokens.refresh !== undefined)
      world.expect(await world.send(await world.newRefreshRequest(tokens)), refreshNoLongerWorks)
  })
}

/**
 * Checks of used and expired codes, and of the lifetime of access tokens. They run in the final
 * stage, because a server may revoke all grants of a user when a code is reused.
 */
export const tokenExpiryChecks = [
  check('AUTH-TOKEN-10', {
    title: 'refuses a used code',
    patterns: oauth,
    async run(world) {
      const {
        runInFinalStage,
        newTokenRequest,
        sendOrBlock,
        obtainGrant,
        readTokens,
        send,
        expect,
      } = world
      const client = await ownClient(world)
      await runInFinalStage(async () => {
        const grant = await obtainGrant({}, client)
        const request = await newTokenRequest(grant)
        readTokens(await sendOrBlock(request), grant)
        expect(await send(request), hasStatus(400))
      })
    },
  }),
  check('AUTH-TOKEN-10', {
    title: 'exchanges a code only once if two requests arrive at the same time',
    patterns: oauth,
    async run(world) {
      const client = await ownClient(world)
      await world.runInFinalStage(async () => {
        const request = await world.newTokenRequest(await world.obtainGrant({}, client))
        const both = await sendTogether(world.send, request)
        world.expectValue(both, {
          name: 'at most one succeeds',
          expected: 'at most one success',
          test: (exchanges) => exchanges.filter(isServed).length <= 1,
          received: (exchanges) => exchanges.map(({ summary }) => summary).join(' | '),
        })
      })
    },
  }),
  check('AUTH-TOKEN-11', {
    title: 'revokes the tokens of a reused code',
    door: 'tokens issued for the code',
    patterns: oauth,
    run: (world) => expectRevokedAfterReuse(world, (tokens) => Promise.resolve(tokens)),
  }),
  check('AUTH-TOKEN-11', {
    title: 'revokes the tokens that it issued for the refresh token of a reused code',
    door: 'tokens issued for a refresh token',
    patterns: oauth,
    run: (world) =>
      expectRevokedAfterReuse(world, async (first) => {
        if (first.refresh === undefined)
          throw new NotApplicable('the server issues no refresh tokens')
        const response = await world.sendOrBlock(await world.newRefreshRequest(first))
        const second = world.readTokens(response, first.grant)
        return { ...second, refresh: second.refresh ?? first.refresh }
      }),
  }),
  check('AUTH-TOKEN-25', {
    title: 'accepts an access token until its lifetime ends',
    patterns: oauth,
    async run(world) {
      const { runInFinalStage, withClockAhead, obtainTokens, useToken, expect } = world
      const client = await ownClient(world)
      await runInFinalStage(async () => {
        const first = await obtainTokens({}, client)
        const { refresh } = first
        const tokens = {
          'an access token issued for a code': async () => first,
          ...(refresh === undefined
            ? {}
            : {
                'an access token issued for a refresh token': async () =>
                  world.readTokens(
                    await world.sendOrBlock(await world.newRefreshRequest(first)),
                    first.grant,
                  ),
              }),
        }
        if (first.seconds === undefined)
          throw new NotApplicable('the lifetime of access tokens is unknown')
        // A refresh may invalidate earlier access tokens, so each is used before the next refresh.
        for (const [label, obtain] of Object.entries(tokens)) {
          const { access, seconds } = await obtain()
          if (seconds === undefined) continue
          await requireWorkingToken(world, access)
          // Uses the token after nine tenths of its lifetime, because the clocks of the server's
          // parts may differ.
          for (const response of await withClockAhead(seconds * 0.9, () => useToken(access)))
            expect(response, labelled(label, served))
        }
      })
    },
  }),
  check('AUTH-TOKEN-12', {
    title: 'refuses a code that is an hour old',
    patterns: oauth,
    run: (world) =>
      exchangeAgedCode(world, 3600, (response) =>
        world.expect(response, refusedWith([400], 'invalid_grant')),
      ),
  }),
  check('AUTH-TOKEN-13', {
    title: 'refuses a code that is older than ten minutes',
    patterns: oauth,
    run: (world) =>
      exchangeAgedCode(world, 660, (response) => world.expect(response, hasStatus(400))),
  }),
]
