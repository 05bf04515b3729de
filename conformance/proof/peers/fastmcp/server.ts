import { FastMCP, UserError } from 'fastmcp'
import { z } from 'zod'
import { books } from './books.ts'
import { fetchLoan, lending } from './lending.ts'
import { formatBook, formatLoan, formatPage } from './pages.ts'

// A program: serves a small tool server that is written with FastMCP for TypeScript, as its
// documentation shows, and follows the conventions of the document.
const [, , transport, upstream = ''] = process.argv
lending.url = upstream

const server = new FastMCP({ name: 'shelf_mcp', version: '1.0.0' })
const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
const page = {
  limit: z.number().int().min(1).max(100).default(20).describe('The maximum number of books.'),
  offset: z.number().int().min(0).default(0).describe('The number of books to skip.'),
}
const response_format = z
  .enum(['markdown', 'json'])
  .default('markdown')
  .describe('markdown for people, json for programs.')
const id = z
  .string()
  .regex(/^b-\d{3}$/)
  .describe('The id of a book, such as b-001.')

server.addTool({
  name: 'shelf_search_books',
  description:
    'Finds books by words of their title or author. Accepts query, limit, offset and response_format; returns a page of books with total, count and next_offset. Do not use it for a book whose id is known: use shelf_get_book.',
  parameters: z.object({
    query: z.string().min(2).max(200).describe('Words of the title or the author.'),
    ...page,
    response_format,
  }),
  annotations: { title: 'Search books', ...readOnly },
  async execute({ query, ...request }) {
    const word = query.trim().toLowerCase()
    const found = books.filter((book) =>
      `${book.title} ${book.author}`.toLowerCase().includes(word),
    )
    if (found.length === 0) return `No books match "${query}".`
    return formatPage(found, request, { heading: `Books that match "${query}"` })
  },
})

server.addTool({
  name: 'shelf_report_inventory',
  description:
    'Reports all books with notes on their condition. Accepts limit, offset and response_format; returns a page of books, truncated if it is too long. Do not use it to find a book: use shelf_search_books.',
  parameters: z.object({ ...page, response_format }),
  annotations: { title: 'Report the inventory', ...readOnly },
  execute: async (request) => formatPage(books, request, { heading: 'Inventory', notes: true }),
})

server.addTool({
  name: 'shelf_get_book',
  description:
    'Gets one book by its id. Accepts id and response_format; returns its title, author and date. Do not use it to find books: use shelf_search_books.',
  parameters: z.object({ id, response_format }),
  annotations: { title: 'Get a book', ...readOnly },
  async execute({ id, response_format }) {
    const book = books.find((one) => one.id === id)
    if (book === undefined)
      throw new UserError(`Error: the book ${id} was not found. Check the identifier.`)
    return response_format === 'json' ? JSON.stringify(book) : `# Book\n\n${formatBook(book)}`
  },
})

server.addTool({
  name: 'shelf_get_loan',
  description:
    'Gets the current loan of a book from the lending API. Accepts id; returns the loan as JSON. Do not use it for facts about the book itself: use shelf_get_book.',
  parameters: z.object({ id }),
  annotations: { title: 'Get a loan', ...readOnly, openWorldHint: true },
  execute: async ({ id }) => formatLoan(await fetchLoan(id)),
})

server.addTool({
  name: 'shelf_count_books',
  description:
    'Counts the books, and reports progress and logs while it counts. Accepts nothing; returns the number. Do not use it to list books: use shelf_search_books.',
  parameters: z.object({}),
  annotations: { title: 'Count books', ...readOnly },
  async execute(_, { log, reportProgress }) {
    log.info('counting the books')
    for (const progress of [0, 25, 50]) await reportProgress({ progress, total: books.length })
    log.debug('counted the books', { count: books.length })
    return `There are ${books.length} books.`
  },
})

server.addTool({
  name: 'shelf_suggest_book',
  description:
    'Suggests a book after it has asked the user for an author. Accepts nothing; returns one book. Do not use it without a user: use shelf_search_books.',
  parameters: z.object({}),
  annotations: { title: 'Suggest a book', ...readOnly },
  async execute(_, { elicit }) {
    const answer = await elicit({
      mode: 'form',
      message: 'Which author do you like?',
      requestedSchema: {
        type: 'object',
        properties: { author: { type: 'string', title: 'Author', minLength: 2 } },
        required: ['author'],
      },
    })
    if (answer.action !== 'accept') return 'No book was suggested, because no author was named.'
    const author = String(answer.content?.['author'])
    const book = books.find((one) => one.author.includes(author))
    return book === undefined ? `No books match "${author}".` : `# Book\n\n${formatBook(book)}`
  },
})

server.addResourceTemplate({
  uriTemplate: 'shelf://books/{id}',
  name: 'Book',
  mimeType: 'application/json',
  arguments: [{ name: 'id', description: 'The id of a book.', required: true }],
  async load({ id }) {
    const book = books.find((one) => one.id === id)
    if (book === undefined) throw new UserError(`Error: the book ${id} was not found.`)
    return { text: JSON.stringify(book) }
  },
})

if (transport === 'stdio') await server.start({ transportType: 'stdio' })
else {
  server.getApp().post('/upstream', async (context) => {
    lending.url = (await context.req.json<{ url: string | null }>()).url ?? ''
    return context.body(null, 204)
  })
  await server.start({
    transportType: 'httpStream',
    httpStream: { host: '127.0.0.1', port: 8080 },
  })
}
