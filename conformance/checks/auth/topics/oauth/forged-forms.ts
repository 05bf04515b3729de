import { sharesCookies, asLink, seenBy } from '../../support/oauth/forged-requests.ts'
import { Blocked, type Expectation, labelled } from '../../../../engine/index.ts'
import { type Visit } from '../../../../wire/index.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { browserFor } from '../../support/oauth/browsing.ts'
import { needsPages } from '../../support/oauth/walks.ts'

/** The page of somebody else, from which an approval is sent. */
const elsewhere = { url: 'https://attacker.touchstone.example/' }

const noCode: Expectation<Visit> = {
  name: 'brings no code',
  expected: 'no code',
  test: ({ destination }) =>
    destination?.searchParams.get('code') === null || destination === undefined,
  received: ({ destination }) => `a code, at ${destination!.origin}${destination!.pathname}`,
}

/** Approvals that somebody else has contrived. */
export const forged = [
  check('AUTH-CONSENT-04', {
    title: 'takes no approval from a browser that it has not asked',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async play(world) {
      needsPages(world)
      const client = await world.client()
      const { form, button } = await seenBy(world, browserFor(world, client), client)
      world.expectOf(
        await browserFor(world, client).submit(form, {
          button,
          page: elsewhere,
          operation: 'decide',
        }),
        noCode,
      )
    },
  }),

  check('AUTH-CONSENT-04', {
    title: 'takes no approval of whoever has signed in from a page of others',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async play(world) {
      needsPages(world)
      // Both have signed in, and neither has allowed the other client. What it asks of the one is sent by the other.
      const [{ walk: one }, { walk: other, client }] = [await world.grant(), await world.grant()]
      const stranger = await world.client('another', {
        client_name: 'Touchstone, another',
        redirect_uris: [client.redirectUri],
      })
      if (one.browser === undefined || other.browser === undefined)
        throw new Blocked('AUTH-AUTHORIZE-01', 'no browser went')
      const seen = await seenBy(world, one.browser, stranger)
      world.expectOf(
        await other.browser.open(asLink(seen), { operation: 'decide', from: elsewhere.url }),
        labelled('by a link', noCode),
      )
      if (sharesCookies(other))
        world.expectOf(
          await other.browser.submit(seen.form, {
            button: seen.button,
            page: elsewhere,
            operation: 'decide',
          }),
          labelled('by a form', noCode),
        )
    },
  }),
]
