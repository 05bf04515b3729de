import type { Book } from './data.ts'

/** Whether a book has the words in title, author or summary, in any case, and all the tags. */
export function matches(
  { title, author, summary, tags }: Book,
  query: string,
  wanted: readonly string[],
): boolean {
  const asked = query.toLowerCase()
  return (
    [title, author, summary].some((text) => text.toLowerCase().includes(asked)) &&
    wanted.every((tag) => tags.includes(tag))
  )
}
