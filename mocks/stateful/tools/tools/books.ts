import { z } from 'zod'
import { newResult, newItemResult, newPageResult } from '../kit/results.ts'
import { fieldTypes } from '../kit/fields.ts'
import { requireList, requireObject } from '../kit/received.ts'
import { readHints, defineTool } from '../kit/tool.ts'
import { books } from '../library/kinds.ts'

export const searchBooks = defineTool({
  name: 'search_books',
  title: 'Search books',
  description:
    'Finds books by words in their title, author or summary, and by tags. Accepts query, tags, limit, offset and response_format. ' +
    'Returns one page of books, with total, count, offset, has_more and next_offset in json. Not for a single book whose identifier is known: use shelf_get_book.',
  annotations: readHints(true),
  input: z.object({
    query: z
      .string()
      .min(2)
      .max(200)
      .describe('Words that title, author or summary must contain, ignoring case.'),
    tags: z
      .array(z.string().min(1).max(30).describe('One tag.'))
      .max(10)
      .default([])
      .describe('Tags that a book must have: sea, history, nature, travel, mystery, childhood.'),
    limit: fieldTypes.limit,
    offset: fieldTypes.offset,
    response_format: fieldTypes.response_format,
  }),
  async run(call) {
    const {
      args: { query, tags },
      server: { upstream, rules, choices },
      signal,
    } = call
    const searchParams = new URLSearchParams([
      ['query', query],
      ...tags.map((tag): [string, string] => ['tag', tag]),
    ])
    const found = requireList(
      await upstream.request('GET', `/books?${searchParams}`, { signal }),
      'books',
    )
    if (found.length === 0) {
      const page = rules.pageFields(rules.pageOf([], call.args.limit, call.args.offset), books)
      return newResult(call, rules.emptyResultText(query, choices), page)
    }
    return newPageResult(call, books, found, { title: `Books matching '${query}'` })
  },
})

export const getBook = defineTool({
  name: 'get_book',
  title: 'Get a book',
  description:
    'Gets one book with all its details. Accepts its id and response_format. Returns the book. Not for finding books: use shelf_search_books.',
  annotations: readHints(true),
  input: z.object({ id: fieldTypes.book, response_format: fieldTypes.response_format }),
  async run(call) {
    const {
      args: { id },
      server: { upstream },
      signal,
    } = call
    return newItemResult(
      call,
      books,
      requireObject(await upstream.request('GET', `/books/${encodeURIComponent(id)}`, { signal })),
    )
  },
})
