import { Blocked, type Expectation, NotCovered, on } from '../../../../engine/index.ts'
import {
  choose,
  encodeFields,
  sentBy,
  type Browser,
  type PageButton,
  type PageForm,
  type ShownPage,
  type Visit,
} from '../../../../wire/index.ts'
import type { Client } from '../../support/client.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import type { Walk } from '../../support/walk.ts'
import type { AuthWorld } from '../../support/world.ts'
import { browserFor } from '../../support/oauth/browsing.ts'
import { needsPages } from '../../support/oauth/walks.ts'

/** The page of somebody else, from which an approval is sent. */
const elsewhere = { url: 'https://attacker.touchstone.example/' }

const noCode: Expectation<Visit> = {
  name: 'brings no code',
  expected: 'no code',
  test: ({ back }) => back?.searchParams.get('code') === null || back === undefined,
  received: ({ back }) => `a code, at ${back!.origin}${back!.pathname}`,
}

/** What somebody who wants to forge an approval sees of a page, and can make others send: its form, with all that is hidden in it, and nothing that only a user knows. */
interface Seen {
  form: PageForm
  button: PageButton | undefined
}

async function seenBy(world: AuthWorld, browser: Browser, client: Client): Promise<Seen> {
  const visit = await browser.open((await world.ask({}, client)).request.url, {
    operation: 'authorize',
  })
  if (visit.page === undefined)
    throw new Blocked(
      visit.back === undefined ? 'AUTH-AUTHORIZE-01' : 'AUTH-CONSENT-01',
      'no page asked',
    )
  return formOf(visit.page, world.auth.approve)
}

function formOf(page: ShownPage, approve: string | undefined): Seen {
  const choice = choose(page, 'approve', approve)
  if (typeof choice === 'string' || !('form' in choice))
    throw new NotCovered('no form approves', ['tools.auth.approve'])
  return { form: choice.form, button: choice.button }
}

/** The address that sends a form by its query: what a link does, whose cookies browsers send along from anywhere (SameSite=Lax). */
function asLink({ form, button }: Seen): string {
  const { url, body } = sentBy(form, button, {})
  const link = new URL(url)
  const fields = body?.kind === 'fields' ? body.fields : []
  link.search = [link.search.slice(1), encodeFields(fields)].filter((part) => part !== '').join('&')
  return link.href
}

/** Whether browsers send a walk's cookies along with forms of others. */
const sharesCookies = ({ exchanges }: Walk): boolean =>
  exchanges.some((one) =>
    one.headersOf('set-cookie').some((cookie) => /;\s*samesite\s*=\s*none\b/i.test(cookie)),
  )

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
        on('by a link', noCode),
      )
      if (sharesCookies(other))
        world.expectOf(
          await other.browser.submit(seen.form, {
            button: seen.button,
            page: elsewhere,
            operation: 'decide',
          }),
          on('by a form', noCode),
        )
    },
  }),
]
