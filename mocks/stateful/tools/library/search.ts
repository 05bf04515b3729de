import type { Book } from './data.ts'

/**
 * Whether the title, author or summary contains the query, ignoring case, and the book has all the
 * tags.
 */
export function matchesQuery(
  { title, author, summary, tags }: Book,
  query: string,
  requiredTags: readonly string[],
): boolean {
  const lowerCaseQuery = query.toLowerCase()
  return (
    [title, author, summary].some((text) => text.toLowerCase().includes(lowerCaseQuery)) &&
    requiredTags.every((tag) => tags.includes(tag))
  )
}
