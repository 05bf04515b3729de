import type { ToolCall } from '../call.ts'
import type { ToolsChoices } from '../choices.ts'
import type { ToolResult } from '../protocol.ts'
import type { ToolsRules } from '../rules.ts'
import type { Heading } from './markdown.ts'
import type { ItemKind, Page } from './pages.ts'
import { shortenedMessage } from './shorten.ts'

/** Makes a result with this text and structured data. */
export function newResult(
  { server: { choices } }: ToolCall,
  text: string,
  data?: Record<string, unknown>,
): ToolResult {
  const { structured, extraFields } = choices
  return {
    content: [{ type: 'text', text }],
    ...(structured === 'none'
      ? {}
      : {
          structuredContent: structured === 'data' && data !== undefined ? data : { result: text },
        }),
    ...(extraFields ? { _meta: { 'shelf.example/mood': 'quiet' } } : {}),
  }
}

/** Returns the requested page in the requested format, truncated if it is too long. */
export function newPageResult(
  call: ToolCall,
  kind: ItemKind,
  all: readonly object[],
  heading: Heading,
): ToolResult {
  const {
    args,
    server: { rules, choices },
  } = call
  const isJson = args['response_format'] === 'json'
  const data = (page: Page) =>
    applyForm(
      rules.pageFields(
        { ...page, items: page.items.map((item) => applyForm(item, choices)) },
        kind,
      ),
      choices,
    )
  const format = (page: Page) =>
    isJson
      ? rules.formatJson(data(page), choices)
      : rules.pageMarkdown(page, kind, heading, rules, choices)
  const fullPage = rules.pageOf(all, Number(args['limit']), Number(args['offset']))
  const fits = (page: Page) => rules.lengthOf(format(page)) <= rules.characterLimit
  const longest = fits(fullPage)
    ? fullPage
    : longestPage(
        fullPage.items.length,
        (count) => rules.truncatePage(fullPage, count, rules),
        fits,
      )
  const page = fits(longest) ? longest : shortenPage(longest, rules, fits)
  return newResult(call, format(page), data(page))
}

/**
 * Shortens the only item of a page. The item cannot be omitted, because clients could not continue
 * after an empty page.
 */
function shortenPage(page: Page, rules: ToolsRules, fits: (page: Page) => boolean): Page {
  const [item] = page.items
  if (item === undefined) return page
  const { truncation_message: message } = page
  const withItem = (shortened: object): Page => ({
    ...page,
    items: [shortened],
    truncation_message: message === undefined ? shortenedMessage : `${shortenedMessage} ${message}`,
  })
  return withItem(
    rules.shortenItem(item, rules.characterLimit, (shortened) => fits(withItem(shortened))),
  )
}

/** The longest page that fits. It has at least one item, because no item may be lost. */
function longestPage(
  maximum: number,
  truncate: (count: number) => Page,
  fits: (page: Page) => boolean,
): Page {
  let [fitting, tooMany] = [1, maximum]
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1
    if (fits(truncate(middle))) fitting = middle
    else tooMany = middle
  }
  return truncate(fitting)
}

/** Returns one item in the requested format, shortened if it is too long. */
export function newItemResult(call: ToolCall, kind: ItemKind, item: object): ToolResult {
  const {
    args,
    server: { rules, choices },
  } = call
  const isJson = args['response_format'] === 'json'
  const format = (shown: object, message?: string) =>
    isJson
      ? rules.formatJson(data(shown, message), choices)
      : [
          rules.itemMarkdown(shown, kind, 0, rules, choices),
          ...(message === undefined ? [] : [`Truncated: ${message}`]),
        ].join('\n\n')
  const data = (shown: object, message?: string) => ({
    ...applyForm(shown, choices),
    ...(message === undefined ? {} : { truncated: true, truncation_message: message }),
  })
  const fits = (text: string) => rules.lengthOf(text) <= rules.characterLimit
  if (fits(format(item))) return newResult(call, format(item), data(item))
  const shortened = rules.shortenItem(item, rules.characterLimit, (shown) =>
    fits(format(shown, shortenedMessage)),
  )
  return newResult(call, format(shortened, shortenedMessage), data(shortened, shortenedMessage))
}

/** Returns data without an identifier, as the given Markdown or as JSON. */
export function newFactsResult(
  call: ToolCall,
  data: Record<string, unknown>,
  markdown: string,
): ToolResult {
  const {
    args,
    server: { rules, choices },
  } = call
  const record = applyForm(data, choices)
  return newResult(
    call,
    args['response_format'] === 'json' ? rules.formatJson(record, choices) : markdown,
    record,
  )
}

/** Applies the chosen form to a JSON object: additional fields, and the order of its fields. */
export function applyForm(
  item: object,
  { extraFields, keyOrder }: ToolsChoices,
): Record<string, unknown> {
  if (!extraFields && keyOrder === 'natural') return item as Record<string, unknown>
  const entries = [
    ...Object.entries(item),
    ...(extraFields ? [['x_extra', { note: 'not in the contract', weight: 1 }] as const] : []),
  ]
  return Object.fromEntries(keyOrder === 'reversed' ? entries.reverse() : entries)
}

/** A result that reports a failure. */
export function newFailureResult(call: ToolCall, text: string): ToolResult {
  return { ...newResult(call, text), ...(call.server.choices.errorFlag ? { isError: true } : {}) }
}
