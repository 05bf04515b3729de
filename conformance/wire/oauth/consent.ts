import type { HttpExchange } from '../exchange.ts'
import type { Browser, ShownPage, Visit } from './browser.ts'
import { choose } from './choice.ts'
import type { HtmlPage } from './page.ts'
import type { Typed } from './sending.ts'
import type { Decision } from './words.ts'

/** What a target file says of a target's pages. */
export interface ConsentManner {
  /** What is typed into fields, by field name. */
  form?: Typed | undefined
  /** The button or link that approves: `name=value` of a button, or what is read on it. */
  approve?: string | undefined
  /** The button or link that denies. */
  deny?: string | undefined
}

/** How a decision went. */
export interface Consented {
  /** Where the browser was sent back to; nobody asked there. */
  back?: URL
  /** The pages that were shown, in order. */
  pages: readonly ShownPage[]
  exchanges: readonly HttpExchange[]
  /** Why it came to no end, in words. */
  stuck?: string
}

const mostPages = 10

/** Goes on from where a browser is, page by page, as a person would who approves, or denies, until it is sent back. */
export async function decide(
  browser: Browser,
  start: Visit,
  decision: Decision,
  manner: ConsentManner = {},
): Promise<Consented> {
  const pages: ShownPage[] = []
  const exchanges: HttpExchange[] = []
  const seen = new Set<string>()
  const ended = (more: { back?: URL; stuck?: string }): Consented => ({ ...more, pages, exchanges })
  let visit = start
  for (;;) {
    exchanges.push(...visit.exchanges)
    const { back, page, stuck = 'it led nowhere' } = visit
    if (page !== undefined) pages.push(page)
    if (back !== undefined) return ended({ back })
    if (page === undefined) return ended({ stuck })
    const status = page.exchange.status ?? 0
    const told = nameOf(page)
    if (status >= 400 && !asksWho(page))
      return ended({ stuck: `${told} was answered with ${status}` })
    if (seen.has(likeness(page)))
      return ended({
        stuck: `${told} came again after it was sent${status >= 400 ? `, with ${status}` : ''}`,
      })
    if (pages.length > mostPages) return ended({ stuck: `there were more than ${mostPages} pages` })
    seen.add(likeness(page))
    const choice = choose(page, decision, manner[decision])
    if (typeof choice === 'string') return ended({ stuck: `${told} leads no further: ${choice}` })
    visit =
      'link' in choice
        ? await browser.open(choice.link.href, { operation: 'decide', from: page.url })
        : await browser.submit(choice.form, {
            button: choice.button,
            typed: manner.form,
            page,
            operation: 'decide',
          })
  }
}

const asksWho = ({ forms }: HtmlPage): boolean =>
  forms.some(({ fields }) => fields.some(({ type }) => type === 'password'))

const nameOf = ({ title, url }: HtmlPage): string =>
  title === '' ? `the page at ${new URL(url).pathname}` : `the page «${title}»`

/** What makes two pages the same to a person: not their hidden values, which may be new each time. */
function likeness({ title, forms }: HtmlPage): string {
  return JSON.stringify([
    title,
    forms.map(({ action, fields, buttons }) => [
      action.replace(/[?#].*/s, ''),
      fields.map(({ name }) => name),
      buttons.map(({ text, name, value }) => [text, name, value]),
    ]),
  ])
}
