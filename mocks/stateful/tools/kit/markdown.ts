import type { ToolsChoices } from '../choices.ts'
import type { ItemKind, Page } from './pages.ts'

/** The heading of a page. */
export interface Heading {
  title: string
  /** A sentence below the heading. */
  summary?: string
}

/** The rules that format items, names and timestamps. */
interface MarkdownRules {
  itemMarkdown(
    item: object,
    kind: ItemKind,
    depth: number,
    rules: MarkdownRules,
    choices: ToolsChoices,
  ): string
  formatName(title: string, id: string): string
  formatTime(iso: string, choices: ToolsChoices): string
}

export function pageMarkdown(
  page: Page,
  kind: ItemKind,
  { title, summary }: Heading,
  rules: MarkdownRules,
  choices: ToolsChoices,
): string {
  const {
    total,
    count,
    offset,
    items,
    has_more: hasMore,
    next_offset: next,
    truncation_message: message,
  } = page
  const range =
    count === 0
      ? `None of ${total} ${kind.plural} from offset ${offset} on.`
      : `${offset + 1} to ${offset + count} of ${total} ${kind.plural}.`
  return [
    `${headingMark(0, choices)} ${title}`,
    ...(summary === undefined ? [] : [summary]),
    range,
    ...items.map((item) => rules.itemMarkdown(item, kind, 1, rules, choices)),
    ...(hasMore && next !== null ? [`More: offset ${next}.`] : []),
    ...(message === undefined ? [] : [`Truncated: ${message}`]),
  ].join('\n\n')
}

export function itemMarkdown(
  item: object,
  kind: ItemKind,
  depth: number,
  rules: MarkdownRules,
  choices: ToolsChoices,
): string {
  const lines = kind
    .lines(item)
    .map(
      ([heading, text, format], index) =>
        `${listMark(index, choices)} **${heading}**: ${format === 'moment' ? rules.formatTime(text, choices) : text}`,
    )
  return [
    `${headingMark(depth, choices)} ${rules.formatName(kind.title(item), kind.id(item))}`,
    '',
    ...lines,
  ].join('\n')
}

export const headingMark = (depth: number, { markdownHeaders }: ToolsChoices): string =>
  `${markdownHeaders}${'#'.repeat(depth)}`

export const listMark = (index: number, { markdownLists }: ToolsChoices): string =>
  markdownLists === '1.' ? `${index + 1}.` : markdownLists

export const formatName = (title: string, id: string): string => `${title} (${id})`

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export function formatTime(iso: string, { times }: ToolsChoices): string {
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-')
  const clock = `${iso.slice(11, 16)} UTC`
  if (times === 'short') return `${year}-${month}-${day} ${clock}`
  const name = months[Number(month) - 1] ?? month
  return times === 'american'
    ? `${name} ${Number(day)}, ${year} at ${clock}`
    : `${Number(day)} ${name} ${year}, ${clock}`
}
