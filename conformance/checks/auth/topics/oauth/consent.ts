import { Blocked, type Expectation, NotCovered, labelled } from '../../../../engine/index.ts'
import type { Visit } from '../../../../wire/index.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { codeIn, told, type Walk } from '../../support/walk.ts'
import type { AuthWorld } from '../../support/world.ts'
import { browserFor } from '../../support/oauth/browsing.ts'
import {
  needsDecision,
  needsPages,
  newcomer,
  noCode,
  offersDenial,
} from '../../support/oauth/walks.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const asked: Expectation<Walk> = {
  name: 'asks first',
  expected: 'a page before a code',
  test: (walk) => codeIn(walk) === undefined || walk.pages.length > 0,
}
const isDenial: Expectation<Walk> = {
  name: 'is access_denied',
  expected: 'the error access_denied',
  test: (walk) => told(walk)['error'] === 'access_denied',
}
const unasked: Expectation<Visit> = {
  name: 'gives no code unasked',
  expected: 'a page, and no code',
  test: ({ destination }) =>
    destination?.searchParams.get('code') === null || destination === undefined,
  received: () => 'a code at once',
}

async function denied(world: AuthWorld): Promise<Walk> {
  needsDecision(world)
  const walk = await world.walk(await world.ask({}, await newcomer(world, 'denied')), 'deny')
  if (walk.browser !== undefined && walk.pages.length === 0)
    await world.requireMet('AUTH-CONSENT-01', 'no page asked')
  // In which words one denies is the page's own affair, and a user who was asked before may be asked no more.
  if (walk.pages.length > 0 && !walk.pages.some((page) => offersDenial(page, world.auth)))
    throw new NotCovered<ToolsNeed>(walk.summary, ['tools.auth.deny'])
  return walk
}

/** What users decide, and nobody in their place. */
export const consent = [
  check('AUTH-CONSENT-01', {
    title: 'gives a code after it has asked',
    patterns,
    async play(world) {
      needsPages(world)
      const walk = await world.walk(await world.ask())
      if (codeIn(walk) === undefined) await world.requireMet('AUTH-AUTHORIZE-01', walk.summary)
      world.expectOf(walk, asked)
    },
  }),

  check('AUTH-CONSENT-01', {
    title: 'gives no code to whoever has not decided',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async play(world) {
      needsPages(world)
      const browser = browserFor(world, await world.client())
      for (const label of ['at first', 'when it comes again'])
        world.expectOf(
          await browser.open((await world.ask()).request.url, { operation: 'authorize' }),
          labelled(label, unasked),
        )
    },
  }),

  check('AUTH-CONSENT-01', {
    title: 'asks again for another client',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async play(world) {
      needsPages(world)
      const {
        walk: { browser },
      } = await world.grant()
      if (browser === undefined) throw new Blocked('AUTH-AUTHORIZE-01', 'no browser went')
      const other = await world.client('another', {
        client_name: 'Touchstone, another',
        ...sameReturn(await world.client()),
      })
      world.expectOf(
        await browser.open((await world.ask({}, other)).request.url, { operation: 'authorize' }),
        unasked,
      )
    },
  }),

  check('AUTH-CONSENT-02', {
    title: 'tells the client access_denied',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async play(world) {
      world.expectOf(await denied(world), noCode, isDenial)
    },
  }),

  check('AUTH-CONSENT-03', {
    title: 'sends the state back with a denial',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async play(world) {
      const walk = await denied(world)
      if (told(walk)['error'] === undefined) throw new Blocked('AUTH-CONSENT-02', walk.summary)
      world.expectOf(walk, {
        name: 'brings the state',
        expected: 'the state as it was sent',
        test: ({ ask, back }) => back?.searchParams.get('state') === ask.state,
      })
    },
  }),
]

/** Where users of another client return: a browser leaves at one place for both. */
const sameReturn = ({ redirectUri }: { redirectUri: string }) => ({ redirect_uris: [redirectUri] })
