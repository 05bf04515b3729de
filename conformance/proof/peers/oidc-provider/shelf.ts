import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Profile } from './users.ts'

const books = [
  'The Odyssey',
  'The Tale of Genji',
  'Don Quixote',
  'The Pillow Book',
  'Middlemarch',
  'Moby-Dick',
  'Dream of the Red Chamber',
  'Frankenstein',
  'The Trial',
  'To the Lighthouse',
  'Ficciones',
  'Things Fall Apart',
].map((title, at) => ({ id: `b-${String(at + 1).padStart(3, '0')}`, title }))

const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
const format = z
  .enum(['markdown', 'json'])
  .default('markdown')
  .describe('markdown is easier to read, json easier to process')

/** A small tool server on the official SDK that follows the conventions of the document. */
export function newToolServer(): McpServer {
  const server = new McpServer({ name: 'shelf_mcp', version: '1.0.0' })

  server.registerTool(
    'shelf_list_books',
    {
      title: 'List books',
      description:
        'Lists the books of the shelf by page. Accepts limit, offset and response_format; returns total, count, offset, books, has_more and next_offset. Not for a single book whose id is known: use shelf_get_book.',
      inputSchema: {
        limit: z.number().int().min(1).max(100).default(20).describe('maximum number of books'),
        offset: z.number().int().min(0).default(0).describe('number of books to skip'),
        response_format: format,
      },
      annotations: { title: 'List books', ...readOnly },
    },
    ({ limit, offset, response_format: form }) => {
      const page = books.slice(offset, offset + limit)
      const more = books.length > offset + page.length && page.length > 0
      const result = {
        total: books.length,
        count: page.length,
        offset,
        books: page,
        has_more: more,
        next_offset: more ? offset + page.length : null,
      }
      if (form === 'json') return textResult(JSON.stringify(result))
      return textResult(
        [
          `# Books (${page.length} of ${books.length})`,
          '',
          ...page.map(formatBook),
          ...(more ? ['', `More from offset ${result.next_offset}.`] : []),
        ].join('\n'),
      )
    },
  )

  server.registerTool(
    'shelf_get_book',
    {
      title: 'Get a book',
      description:
        'Gets one book by its id. Accepts id and response_format; returns its id and title. Not for finding books: use shelf_list_books.',
      inputSchema: {
        id: z
          .string()
          .regex(/^b-\d{3}$/)
          .describe('the id of the book, as returned by shelf_list_books'),
        response_format: format,
      },
      annotations: { title: 'Get a book', ...readOnly },
    },
    ({ id, response_format: form }) => {
      const book = books.find((one) => one.id === id)
      if (book === undefined)
        return {
          ...textResult(`Error: book ${id} was not found. Use shelf_list_books to find books.`),
          isError: true,
        }
      return textResult(form === 'json' ? JSON.stringify(book) : `# Book\n\n${formatBook(book)}`)
    },
  )

  server.registerTool(
    'shelf_show_user',
    {
      title: 'Show the user',
      description:
        'Shows the user. Accepts response_format; returns the login and email of the user who allowed the access. Not for other users: none can be looked up.',
      inputSchema: { response_format: format },
      annotations: { title: 'Show the user', ...readOnly },
    },
    ({ response_format: form }, { authInfo }) => {
      const user = authInfo?.extra?.['profile'] as Profile | undefined
      if (user === undefined)
        return { ...textResult('Error: no user is signed in.'), isError: true }
      const { login, email } = user
      return textResult(
        form === 'json' ? JSON.stringify({ login, email }) : `# User\n\n- ${login} (${email})`,
      )
    },
  )

  return server
}

const formatBook = ({ id, title }: { id: string; title: string }): string => `- ${title} (${id})`

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] })
