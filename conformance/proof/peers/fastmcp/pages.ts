import { noteOf, type ShelfBook } from './books.ts'

export const characterLimit = 25_000

export interface ShelfPage {
  limit: number
  offset: number
  response_format: 'markdown' | 'json'
}

/** An item as a result shows it. */
type Item = ShelfBook & { note?: string }

/** Formats one page of books, with fewer books if the text exceeds the limit of characters. */
export function formatPage(
  found: readonly ShelfBook[],
  { limit, offset, response_format }: ShelfPage,
  options: { heading: string; notes?: boolean },
): string {
  const requested: Item[] = found
    .slice(offset, offset + limit)
    .map((book) => (options.notes === true ? { ...book, note: noteOf(book) } : book))
  for (let count = requested.length; ; count -= 1) {
    const shown = requested.slice(0, count)
    const more = found.length > offset + count && requested.length > 0
    const page = {
      total: found.length,
      count,
      offset,
      books: shown,
      has_more: more,
      next_offset: more ? offset + count : null,
      ...(count < requested.length
        ? {
            truncated: true,
            truncation_message: `The result was truncated to ${count} books. Continue with offset ${offset + count}, or use a smaller limit.`,
          }
        : {}),
    }
    const text =
      response_format === 'json' ? JSON.stringify(page, null, 2) : toMarkdown(page, options.heading)
    if (text.length <= characterLimit || count === 0) return text
  }
}

function toMarkdown(
  page: {
    total: number
    offset: number
    books: readonly Item[]
    next_offset: number | null
    truncation_message?: string
  },
  heading: string,
): string {
  return [
    `# ${heading}`,
    '',
    `Books ${page.offset + 1} to ${page.offset + page.books.length} of ${page.total}`,
    '',
    ...page.books.map(formatBook),
    ...(page.truncation_message === undefined ? [] : ['', page.truncation_message]),
    ...(page.next_offset === null ? [] : ['', `More from offset ${page.next_offset}.`]),
  ].join('\n')
}

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export const formatBook = ({ id, title, author, added_at, note }: Item): string =>
  `- **${title}** (${id}) by ${author}, added on ${date.format(new Date(added_at))}${note === undefined ? '' : `. ${note}`}`

/** Formats a loan as JSON. If it exceeds the limit of characters, its strings are shortened. */
export function formatLoan(loan: unknown): string {
  const whole = JSON.stringify(loan)
  if (whole.length <= characterLimit) return whole
  const shorten = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > 500 ? `${value.slice(0, 500)}…` : value
  const message =
    'The loan was truncated. Use filters of the lending API to get its complete fields.'
  const short = JSON.stringify({ loan, truncated: true, truncation_message: message }, shorten)
  return short.length <= characterLimit
    ? short
    : JSON.stringify({ truncated: true, truncation_message: message })
}
