import { Blocked, NotCovered } from '../../../../engine/index.ts'
import {
  type Browser,
  encodeFields,
  type PageButton,
  type PageForm,
  type ShownPage,
} from '../../../../wire/index.ts'
import { chooseControl } from '../../../../wire/oauth/choice.ts'
import { newFormRequest } from '../../../../wire/oauth/form-submission.ts'
import type { Client } from '../client.ts'
import type { AuthorizationFlow } from '../authorization-flow.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/**
 * A form that an attacker can read on a page and make the browsers of other users submit. It
 * contains the hidden fields, but not the values that only the user knows.
 */
interface ForgeableForm {
  form: PageForm
  button: PageButton | undefined
}

export async function fetchForgeableForm(
  world: AuthWorld,
  browser: Browser,
  client: Client,
): Promise<ForgeableForm> {
  const visit = await browser.open(
    (await world.newAuthorizationRequest({}, client)).httpRequest.url,
    {
      operation: 'authorize',
    },
  )
  if (visit.page === undefined)
    throw new Blocked(
      visit.destination === undefined ? 'AUTH-AUTHORIZE-01' : 'AUTH-CONSENT-01',
      'the user was not asked',
    )
  return approvalFormOf(visit.page, world.auth.approve)
}

function approvalFormOf(page: ShownPage, approve: string | undefined): ForgeableForm {
  const choice = chooseControl(page, 'approve', approve)
  if (typeof choice === 'string' || !('form' in choice))
    throw new NotCovered<ToolsNeed>('the page has no form with which the user can approve', [
      'tools.auth.approve',
    ])
  return { form: choice.form, button: choice.button }
}

/**
 * The URL of a link that submits a form in its query. If a user follows such a link on another
 * site, browsers send cookies with SameSite=Lax.
 */
export function linkOf({ form, button }: ForgeableForm): string {
  const { url, body } = newFormRequest(form, button, {})
  const link = new URL(url)
  const fields = body?.kind === 'fields' ? body.fields : []
  link.search = [link.search.slice(1), encodeFields(fields)].filter((part) => part !== '').join('&')
  return link.href
}

/** Whether browsers send the server's cookies with forms of other sites (SameSite=None). */
export const sendsCookiesCrossSite = ({ exchanges }: AuthorizationFlow): boolean =>
  exchanges.some((one) =>
    one.headersOf('set-cookie').some((cookie) => /;\s*samesite\s*=\s*none\b/i.test(cookie)),
  )
