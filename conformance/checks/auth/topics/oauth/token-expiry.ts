import { aged, worksNoMore, works } from '../../support/oauth/token-use.ts'
import { Blocked } from '../../../../engine/index.ts'
import { check, oauth } from '../../support/define.ts'
import { isServed } from '../../support/places.ts'
import { hasStatus, refusedWith } from '../../support/expectations.ts'
import { own } from '../../support/oauth/granting.ts'

/** Checks of codes that have been used, or are old. They go last: a used code may end all that a user has allowed. */
export const tokenEnds = [
  check('AUTH-TOKEN-10', {
    title: 'refuses a code that has been used',
    patterns: oauth,
    async play(world) {
      const { last, exchange, sendOrBlock, grant, received, send, expect } = world
      const client = await own(world, 'token 10')
      await last(async () => {
        const code = await grant({}, client)
        const request = await exchange(code)
        received(await sendOrBlock(request), code)
        expect(await send(request), hasStatus(400))
      })
    },
  }),
  check('AUTH-TOKEN-11', {
    title: 'ends the tokens of a code that comes again',
    patterns: oauth,
    async play(world) {
      const { last, exchange, sendOrBlock, grant, received, refreshing, send, expect, use } = world
      const client = await own(world, 'token 11')
      await last(async () => {
        const code = await grant({}, client)
        const request = await exchange(code)
        const tokens = received(await sendOrBlock(request), code)
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
