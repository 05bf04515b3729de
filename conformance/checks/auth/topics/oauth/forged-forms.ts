import {
  sendsCookiesCrossSite,
  linkOf,
  fetchForgeableForm,
} from '../../support/oauth/forged-requests.ts'
import { Blocked, type Expectation, labelled } from '../../../../engine/index.ts'
import { type Visit } from '../../../../wire/index.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { newBrowserFor } from '../../support/oauth/new-browser.ts'
import { deniedClient } from '../../support/oauth/known-clients.ts'
import { requireConsentPage } from '../../support/oauth/flows.ts'

/** A page of another site, which submits the approval. */
const attackerPage = { url: 'https://attacker.touchstone.example/' }

const hasNoCode: Expectation<Visit> = {
  name: 'returns no code',
  expected: 'no authorization code',
  test: ({ destination }) =>
    destination?.searchParams.get('code') === null || destination === undefined,
  received: ({ destination }) => `a code, at ${destination!.origin}${destination!.pathname}`,
}

/** Checks of approvals that another site or another browser submits. */
export const forgedFormsChecks = [
  check('AUTH-CONSENT-04', {
    title: 'refuses an approval from a browser that did not open the consent page',
    door: 'an approval from a browser that did not open the consent page',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      requireConsentPage(world)
      const client = await world.getClient()
      const { form, button } = await fetchForgeableForm(world, newBrowserFor(world, client), client)
      world.expectValue(
        await newBrowserFor(world, client).submit(form, {
          button,
          page: attackerPage,
          operation: 'decide',
        }),
        hasNoCode,
      )
    },
  }),

  check('AUTH-CONSENT-04', {
    title: 'refuses an approval that another site submits for a signed-in user',
    door: 'an approval that another site submits',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      requireConsentPage(world)
      // Two users are signed in, and neither has approved the client `stranger`. The browser of the
      // second user submits the form that the first user was shown.
      const [{ flow: first }, { flow: second }] = [
        await world.obtainGrant(),
        await world.obtainGrant(),
      ]
      const stranger = await deniedClient(world)
      if (first.browser === undefined || second.browser === undefined)
        throw new Blocked('AUTH-AUTHORIZE-01', 'there was no browser')
      const seen = await fetchForgeableForm(world, first.browser, stranger)
      world.expectValue(
        await second.browser.open(linkOf(seen), { operation: 'decide', from: attackerPage.url }),
        labelled('an approval by a link', hasNoCode),
      )
      if (sendsCookiesCrossSite(second))
        world.expectValue(
          await second.browser.submit(seen.form, {
            button: seen.button,
            page: attackerPage,
            operation: 'decide',
          }),
          labelled('an approval by a form', hasNoCode),
        )
    },
  }),
]
