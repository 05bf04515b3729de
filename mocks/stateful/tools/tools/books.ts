import { z } from 'zod'
import { answer, itemAnswer, pageAnswer } from '../kit/answers.ts'
import { checked, told } from '../kit/fields.ts'
import { listIn, objectIn } from '../kit/received.ts'
import { reads, tool } from '../kit/tool.ts'
import { books } from '../shelf/kinds.ts'

export const searchBooks = tool({
  name: 'search_books',
  title: 'Search books',
  description:
    'Finds books by words in their title, author or summary, and by tags. Takes query, tags, limit, offset and response_format. ' +
    'Returns one page of books, with total, count, offset, has_more and next_offset in json. Not for a single book whose identifier is known: use shelf_get_book.',
  annotations: reads(true),
  properties: {
    query: {
      type: 'string',
      minLength: 2,
      maxLength: 200,
      description: 'Words that title, author or summary have to contain, in any case.',
    },
    tags: {
      type: 'array',
      maxItems: 10,
      default: [],
      items: { type: 'string', minLength: 1, maxLength: 30, description: 'One tag.' },
      description:
        'Tags that a book has to have, all of them: sea, history, nature, travel, mystery, childhood.',
    },
    limit: told.limit,
    offset: told.offset,
    response_format: told.response_format,
  },
  required: ['query'],
  input: z.object({
    query: z.string().min(2).max(200),
    tags: z.array(z.string().min(1).max(30)).max(10).default([]),
    limit: checked.limit,
    offset: checked.offset,
    response_format: checked.response_format,
  }),
  async run(call) {
    const {
      args: { query, tags },
      server: { upstream, rules, choices },
      signal,
    } = call
    const asked = new URLSearchParams([
      ['query', query],
      ...tags.map((tag): [string, string] => ['tag', tag]),
    ])
    const found = listIn(await upstream.ask('GET', `/books?${asked}`, { signal }), 'books')
    if (found.length === 0) {
      const page = rules.fields(rules.page([], call.args.limit, call.args.offset), books)
      return answer(call, rules.nothing(query, choices), page)
    }
    return pageAnswer(call, books, found, { title: `Books matching '${query}'` })
  },
})

export const getBook = tool({
  name: 'get_book',
  title: 'Get a book',
  description:
    'Tells everything about one book. Takes its id and response_format. Returns the book. Not for finding books: use shelf_search_books.',
  annotations: reads(true),
  properties: { id: told.book, response_format: told.response_format },
  required: ['id'],
  input: z.object({ id: checked.book, response_format: checked.response_format }),
  async run(call) {
    const {
      args: { id },
      server: { upstream },
      signal,
    } = call
    return itemAnswer(
      call,
      books,
      objectIn(await upstream.ask('GET', `/books/${encodeURIComponent(id)}`, { signal })),
    )
  },
})
