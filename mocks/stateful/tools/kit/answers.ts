import type { ToolCall } from '../call.ts'
import type { ToolsChoices } from '../choices.ts'
import type { ToolResult } from '../protocol.ts'
import type { Heading } from './markdown.ts'
import type { ItemKind, Page } from './pages.ts'

/** A text, and what it says as data: the form of every answer. */
export function answer(
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

/** The page that a call asks for, in the form that it asks for, and truncated where it is too long. */
export function pageAnswer(
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
    dressed(
      rules.fields({ ...page, items: page.items.map((item) => dressed(item, choices)) }, kind),
      choices,
    )
  const written = (page: Page) =>
    isJson
      ? rules.json(data(page), choices)
      : rules.pageMarkdown(page, kind, heading, rules, choices)
  const whole = rules.page(all, Number(args['limit']), Number(args['offset']))
  const fits = (page: Page) => rules.lengthOf(written(page)) <= rules.characterLimit
  const page = fits(whole)
    ? whole
    : longest(whole.items.length, (count) => rules.cut(whole, count, rules), fits)
  return answer(call, written(page), data(page))
}

/** The page with the most items that still fits; with a single one where none does, since no item may be lost. */
function longest(most: number, cut: (count: number) => Page, fits: (page: Page) => boolean): Page {
  let [fit, over] = [1, most]
  while (over - fit > 1) {
    const middle = (fit + over) >> 1
    if (fits(cut(middle))) fit = middle
    else over = middle
  }
  return cut(fit)
}

/** One item, in the form that a call asks for. */
export function itemAnswer(call: ToolCall, kind: ItemKind, item: object): ToolResult {
  const {
    args,
    server: { rules, choices },
  } = call
  const data = dressed(item, choices)
  return answer(
    call,
    args['response_format'] === 'json'
      ? rules.json(data, choices)
      : rules.itemMarkdown(item, kind, 0, rules, choices),
    data,
  )
}

/** Few members without an identifier: as markdown these lines, or as JSON these members. */
export function factsAnswer(
  call: ToolCall,
  data: Record<string, unknown>,
  markdown: string,
): ToolResult {
  const {
    args,
    server: { rules, choices },
  } = call
  const whole = dressed(data, choices)
  return answer(
    call,
    args['response_format'] === 'json' ? rules.json(whole, choices) : markdown,
    whole,
  )
}

/** An object of JSON as it was chosen: with more members, or in another order. */
export function dressed(
  item: object,
  { extraFields, keyOrder }: ToolsChoices,
): Record<string, unknown> {
  if (!extraFields && keyOrder === 'natural') return item as Record<string, unknown>
  const entries = [
    ...Object.entries(item),
    ...(extraFields ? [['x_extra', { note: 'not in the document', weight: 1 }] as const] : []),
  ]
  return Object.fromEntries(keyOrder === 'reversed' ? entries.reverse() : entries)
}

/** A text that tells what went wrong. */
export function failureAnswer(call: ToolCall, text: string): ToolResult {
  return { ...answer(call, text), ...(call.server.choices.errorFlag ? { isError: true } : {}) }
}
