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
import type { Walk } from '../walk.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** What somebody who wants to forge an approval sees of a page, and can make others send: its form, with all that is hidden in it, and nothing that only a user knows. */
interface Seen {
  form: PageForm
  button: PageButton | undefined
}

export async function seenBy(world: AuthWorld, browser: Browser, client: Client): Promise<Seen> {
  const visit = await browser.open((await world.ask({}, client)).request.url, {
    operation: 'authorize',
  })
  if (visit.page === undefined)
    throw new Blocked(
      visit.destination === undefined ? 'AUTH-AUTHORIZE-01' : 'AUTH-CONSENT-01',
      'no page asked',
    )
  return formOf(visit.page, world.auth.approve)
}

function formOf(page: ShownPage, approve: string | undefined): Seen {
  const choice = chooseControl(page, 'approve', approve)
  if (typeof choice === 'string' || !('form' in choice))
    throw new NotCovered<ToolsNeed>('no form approves', ['tools.auth.approve'])
  return { form: choice.form, button: choice.button }
}

/** The address that sends a form by its query: what a link does, whose cookies browsers send along from anywhere (SameSite=Lax). */
export function asLink({ form, button }: Seen): string {
  const { url, body } = newFormRequest(form, button, {})
  const link = new URL(url)
  const fields = body?.kind === 'fields' ? body.fields : []
  link.search = [link.search.slice(1), encodeFields(fields)].filter((part) => part !== '').join('&')
  return link.href
}

/** Whether browsers send a walk's cookies along with forms of others. */
export const sharesCookies = ({ exchanges }: Walk): boolean =>
  exchanges.some((one) =>
    one.headersOf('set-cookie').some((cookie) => /;\s*samesite\s*=\s*none\b/i.test(cookie)),
  )
