import type { HttpExchange } from '../exchange.ts'
import type { Browser, ShownPage, Visit } from './browser.ts'
import { chooseControl } from './choice.ts'
import type { HtmlPage } from './page.ts'
import type { FieldValues } from './form-submission.ts'
import type { Decision } from './button-meaning.ts'

/** What a target file says of a target's pages. */
export interface ConsentOptions {
  /** What is typed into fields, by field name. */
  form?: FieldValues | undefined
  /** The button or link that approves: `name=value` of a button, or what is read on it. */
  approve?: string | undefined
  /** The button or link that denies. */
  deny?: string | undefined
}

/** How a decision went. */
export interface ConsentResult {
  /** Where the browser was sent back to; nobody asked there. */
  destination?: URL
  /** The pages that were shown, in order. */
  pages: readonly ShownPage[]
  exchanges: readonly HttpExchange[]
  /** Why it came to no end, in words. */
  problem?: string
}

const maxPages = 10

/** Goes on from where a browser is, page by page, as a person would who approves, or denies, until it is sent back. */
export async function decide(
  browser: Browser,
  start: Visit,
  decision: Decision,
  manner: ConsentOptions = {},
): Promise<ConsentResult> {
  const pages: ShownPage[] = []
  const exchanges: HttpExchange[] = []
  const seen = new Set<string>()
  const ended = (more: { destination?: URL; problem?: string }): ConsentResult => ({
    ...more,
    pages,
    exchanges,
  })
  let visit = start
  for (;;) {
    exchanges.push(...visit.exchanges)
    const { destination, page, problem = 'it led nowhere' } = visit
    if (page !== undefined) pages.push(page)
    if (destination !== undefined) return ended({ destination })
    if (page === undefined) return ended({ problem: problem })
    const status = page.exchange.status ?? 0
    const told = nameOf(page)
    if (status >= 400 && !asksForPassword(page))
      return ended({ problem: `${told} was answered with ${status}` })
    if (seen.has(pageKey(page)))
      return ended({
        problem: `${told} came again after it was sent${status >= 400 ? `, with ${status}` : ''}`,
      })
    if (pages.length > maxPages) return ended({ problem: `there were more than ${maxPages} pages` })
    seen.add(pageKey(page))
    const choice = chooseControl(page, decision, manner[decision])
    if (typeof choice === 'string') return ended({ problem: `${told} leads no further: ${choice}` })
    visit =
      'link' in choice
        ? await browser.open(choice.link.href, { operation: 'decide', from: page.url })
        : await browser.submit(choice.form, {
            button: choice.button,
            values: manner.form,
            page,
            operation: 'decide',
          })
  }
}

const asksForPassword = ({ forms }: HtmlPage): boolean =>
  forms.some(({ fields }) => fields.some(({ type }) => type === 'password'))

const nameOf = ({ title, url }: HtmlPage): string =>
  title === '' ? `the page at ${new URL(url).pathname}` : `the page «${title}»`

/** What makes two pages the same to a person: not their hidden values, which may be new each time. */
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
