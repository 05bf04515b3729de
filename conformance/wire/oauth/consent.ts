import type { HttpExchange } from '../exchange.ts'
import type { Browser, ShownPage, Visit } from './browser.ts'
import { chooseControl, type Choice } from './choice.ts'
import type { HtmlPage } from './page.ts'
import type { PageForm } from './page-form.ts'
import type { FieldValues } from './form-submission.ts'
import type { Decision } from './button-meaning.ts'

/** What the target file declares about the target's pages. */
export interface ConsentOptions {
  /** Values of fields, by field name. */
  form?: FieldValues | undefined
  /** The button or link that approves: `name=value` of a button, or its label. */
  approve?: string | undefined
  /** The button or link that denies. */
  deny?: string | undefined
  /** The origins whose pages and forms may receive the values. By default, every origin. */
  isTrusted?: ((origin: string) => boolean) | undefined
  /** Called before a form with a password is submitted. Its result is called afterwards. */
  enterSignIn?: (() => Promise<() => void>) | undefined
}

/** The result of a decision. */
export interface ConsentResult {
  /** The redirect URI to which the server redirected. The browser does not request it. */
  destination?: URL
  /** The pages that were shown, in order. */
  pages: readonly ShownPage[]
  exchanges: readonly HttpExchange[]
  /** Why the redirect URI was not reached. */
  problem?: string
  /** The origin that would have received the values, although it is not trusted. */
  untrusted?: string
}

const maxPages = 10

/**
 * Acts like a user who approves or denies, until the browser reaches its destination or a problem.
 */
export async function decide(
  browser: Browser,
  start: Visit,
  decision: Decision,
  options: ConsentOptions = {},
): Promise<ConsentResult> {
  const pages: ShownPage[] = []
  const exchanges: HttpExchange[] = []
  const seen = new Set<string>()
  const ended = (
    more: Pick<ConsentResult, 'destination' | 'problem' | 'untrusted'>,
  ): ConsentResult => ({
    ...more,
    pages,
    exchanges,
  })
  let visit = start
  for (;;) {
    exchanges.push(...visit.exchanges)
    const {
      destination,
      page,
      problem = 'the browser reached neither a page nor the redirect URI',
    } = visit
    if (page !== undefined) pages.push(page)
    if (destination !== undefined) return ended({ destination })
    if (page === undefined) return ended({ problem })
    const status = page.exchange.status ?? 0
    const name = nameOf(page)
    if (status >= 400 && !asksForPassword(page))
      return ended({ problem: `${name} has status ${status}` })
    if (seen.has(pageKey(page)))
      return ended({
        problem: `${name} was shown again${status >= 400 ? `, with status ${status},` : ''} after it was submitted`,
      })
    if (pages.length > maxPages) return ended({ problem: `there were more than ${maxPages} pages` })
    seen.add(pageKey(page))
    const choice = chooseControl(page, decision, options[decision])
    if (typeof choice === 'string')
      return ended({ problem: `${name} does not lead further: ${choice}` })
    const untrusted = 'form' in choice ? untrustedOrigin(page, choice, options) : undefined
    if (untrusted !== undefined)
      return ended({
        problem: `${name} would send the values of tools.auth.form to ${untrusted}, which is not the origin of the authorization server`,
        untrusted,
      })
    const leave =
      'form' in choice && hasPassword(choice.form) ? await options.enterSignIn?.() : undefined
    try {
      visit =
        'link' in choice
          ? await browser.open(choice.link.href, { operation: 'decide', from: page.url })
          : await browser.submit(choice.form, {
              button: choice.button,
              values: options.form,
              page,
              operation: 'decide',
            })
    } finally {
      leave?.()
    }
  }
}

/**
 * The origin that is not trusted and would receive values of the target file: that of the page,
 * whose scripts can read the values, or that of the form.
 */
function untrustedOrigin(
  page: HtmlPage,
  { form, button }: Extract<Choice, { form: unknown }>,
  { form: values = {}, isTrusted = () => true }: ConsentOptions,
): string | undefined {
  if (!form.fields.some(({ name, type }) => Object.hasOwn(values, name) && type !== 'hidden'))
    return undefined
  return [page.url, button?.action ?? form.action]
    .map((url) => (URL.canParse(url) ? new URL(url).origin : url))
    .find((origin) => !isTrusted(origin))
}

const hasPassword = ({ fields }: PageForm): boolean =>
  fields.some(({ type }) => type === 'password')

const asksForPassword = ({ forms }: HtmlPage): boolean => forms.some(hasPassword)

const nameOf = ({ title, url }: HtmlPage): string =>
  title === '' ? `the page at ${new URL(url).pathname}` : `the page "${title}"`

/**
 * Returns a key by which a page is recognized. It contains what a user sees, but no values of
 * fields, because those of hidden fields may change each time.
 */
function pageKey({ title, forms }: HtmlPage): string {
  return JSON.stringify([
    title,
    forms.map(({ action, fields, buttons }) => [
      action.replace(/[?#].*/s, ''),
      fields.map(({ name }) => name),
      buttons.map(({ text, name, value }) => [text, name, value]),
    ]),
  ])
}
