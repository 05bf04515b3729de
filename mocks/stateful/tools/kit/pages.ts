/** A kind of item and its format. */
export interface ItemKind {
  /** The plural, which is also the name of the JSON field with the items, such as `books`. */
  readonly plural: string
  readonly singular: string
  title(item: object): string
  id(item: object): string
  /**
   * The lines of Markdown below the title and the identifier: each is a heading with a string, or
   * with an ISO 8601 timestamp.
   */
  lines(
    item: object,
  ): readonly (
    readonly [heading: string, text: string] | readonly [heading: string, iso: string, is: 'moment']
  )[]
}

/** Part of a list, in the order of the list. */
export interface Page {
  total: number
  count: number
  offset: number
  items: readonly object[]
  has_more: boolean
  next_offset: number | null
  truncated?: boolean
  truncation_message?: string
}

export function pageOf(all: readonly object[], limit: number, offset: number): Page {
  return { ...newPage(all.length, all.slice(offset, offset + limit), offset) }
}

function newPage(total: number, items: readonly object[], offset: number): Page {
  const end = offset + items.length
  const hasMore = total > end
  return {
    total,
    count: items.length,
    offset,
    items,
    has_more: hasMore,
    next_offset: hasMore ? end : null,
  }
}

export function truncatePage(
  { total, items, offset }: Page,
  count: number,
  rules: { truncationMessage(page: Page): string },
): Page {
  const page: Page = { ...newPage(total, items.slice(0, count), offset), truncated: true }
  return { ...page, truncation_message: rules.truncationMessage(page) }
}

export function truncationMessage({ count, total, offset, next_offset: next }: Page): string {
  return `The result was too long: it contains ${count} of ${total} from offset ${offset}. Continue with offset ${next ?? offset + count}, or narrow it down with filters.`
}

export function pageFields(
  { total, count, offset, items, has_more, next_offset, truncated, truncation_message }: Page,
  { plural }: ItemKind,
): Record<string, unknown> {
  return {
    total,
    count,
    offset,
    [plural]: items,
    has_more,
    next_offset,
    ...(truncated === undefined ? {} : { truncated }),
    ...(truncation_message === undefined ? {} : { truncation_message }),
  }
}
