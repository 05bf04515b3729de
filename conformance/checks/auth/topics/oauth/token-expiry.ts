import { Blocked, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check, oauth } from '../../support/define.ts'
import { isServed } from '../../support/places.ts'
import { hasStatus, refusedWith } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import { codes, own } from '../../support/oauth/granting.ts'

export const worksNoMore: Expectation<HttpExchange> = {
  name: 'works no more',
  expected: 'a status of the 400s',
  test: ({ status = 0 }) => status >= 400 && status < 500,
}

/** Blocks the check where a token that was just given does not work: that it does not later proves nothing then. */
export async function works({ use, served }: AuthWorld, token: string): Promise<void> {
  const refused = (await use(token)).find((exchange) => !isServed(exchange))
  if (refused !== undefined) throw new Blocked(served, refused.summary)
}

/** What becomes of a code that is this old. Another one of the same client works at once. */
async function aged(
  world: AuthWorld,
  name: string,
  seconds: number,
  judge: (came: HttpExchange) => void,
): Promise<void> {
  const { last, ahead, exchange, given, send } = world
  const client = await own(world, name)
  await last(async () => {
    const [old, fresh] = [
      (await codes(world, client, 1))[0]!,
      (await codes(world, await own(world, `${name} beside`), 1))[0]!,
    ]
    await given(await exchange(fresh))
    const request = await exchange(old)
    judge(await ahead(seconds, () => send(request)))
  })
}

/** Checks of codes that have been used, or are old. They go last: a used code may end all that a user has allowed. */
export const tokenEnds = [
  check('AUTH-TOKEN-10', {
    title: 'refuses a code that has been used',
    patterns: oauth,
    async play(world) {
      const { last, exchange, given, grant, received, send, expect } = world
      const client = await own(world, 'token 10')
      await last(async () => {
        const code = await grant({}, client)
        const request = await exchange(code)
        received(await given(request), code)
        expect(await send(request), hasStatus(400))
      })
    },
  }),
  check('AUTH-TOKEN-11', {
    title: 'ends the tokens of a code that comes again',
    patterns: oauth,
    async play(world) {
      const { last, exchange, given, grant, received, refreshing, send, expect, use } = world
      const client = await own(world, 'token 11')
      await last(async () => {
        const code = await grant({}, client)
        const request = await exchange(code)
        const tokens = received(await given(request), code)
        await works(world, tokens.access)
        const again = await send(request)
        if (isServed(again)) throw new Blocked('AUTH-TOKEN-10', again.summary)
        for (const came of await use(tokens.access)) expect(came, worksNoMore)
        if (tokens.refresh !== undefined)
          expect(await send(await refreshing(tokens)), {
            name: 'refreshes no more',
            expected: 'status 400',
            test: ({ status }) => status === 400,
          })
      })
    },
  }),
  check('AUTH-TOKEN-12', {
    title: 'refuses a code that is an hour old',
    patterns: oauth,
    play: (world) =>
      aged(world, 'token 12', 3600, (came) =>
        world.expect(came, refusedWith([400], 'invalid_grant')),
      ),
  }),
  check('AUTH-TOKEN-13', {
    title: 'refuses a code that is older than ten minutes',
    patterns: oauth,
    play: (world) => aged(world, 'token 13', 660, (came) => world.expect(came, hasStatus(400))),
  }),
]
