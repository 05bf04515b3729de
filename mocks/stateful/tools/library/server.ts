import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isObject, jsonOf, readBody } from '../../http/body.ts'
import type { ToolsRules } from '../rules.ts'
import { newLending } from './lending.ts'
import type { Library } from './data.ts'

export interface LibraryServer {
  /** The URL of the library's API, without a trailing slash. */
  url: string
  /** Restores the initial readers and loans. */
  reset(): void
  close(): Promise<void>
}

/** A response: a status, and an optional JSON body. */
type LibraryResponse = readonly [
  status: number,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
]

/** Starts the library's API, the upstream of the tools, on a free port of the loopback address. */
export async function startLibrary(
  library: Library,
  rules: ToolsRules,
  now: () => number,
): Promise<LibraryServer> {
  let lending = newLending(library, now)
  const respond = async (request: IncomingMessage): Promise<LibraryResponse> => {
    const url = new URL(request.url ?? '/', 'http://shelf')
    const [, resource = '', id] = url.pathname.split('/')
    const operation = `${request.method ?? ''} ${resource}${id === undefined ? '' : '/'}`
    const body =
      request.method === 'POST' || request.method === 'PUT'
        ? jsonOf(await readBody(request, 64 * 1024))?.value
        : undefined
    const fields = isObject(body) ? body : {}
    switch (operation) {
      case 'GET books': {
        const [query, tags] = [url.searchParams.get('query') ?? '', url.searchParams.getAll('tag')]
        return [
          200,
          { books: library.books.filter((book) => rules.matchesQuery(book, query, tags)) },
        ]
      }
      case 'GET books/':
        return found(library.books.find((book) => book.id === id))
      case 'GET readers':
        return [200, { readers: lending.readers() }]
      case 'GET readers/':
        return found(lending.readers().find((reader) => reader.id === id))
      case 'PUT readers/':
        return found(lending.update(id ?? '', fields))
      case 'GET loans/':
        return found(lending.loan(id ?? ''))
      case 'POST loans': {
        // Only faults of the proof request a response without Location (faults/tools/effects.ts).
        const path = url.searchParams.get('location') === 'none' ? undefined : '/loans'
        return created(path, lending.lend(fields))
      }
      case 'POST books/':
        // Only a variation of the proof sends this request (variations/tools/results.ts). It
        // creates nothing: some frameworks return 201 to every POST.
        return [201, { books: [] }]
      case 'DELETE loans/':
        return lending.endLoan(id ?? '') ? [204] : [404, { message: 'no such loan' }]
      default:
        return [404, { message: 'not found' }]
    }
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    respond(request).then(
      (result) => write(response, result),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', resolve),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset() {
      lending = newLending(library, now)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const found = (item: object | undefined): LibraryResponse =>
  item === undefined ? [404, { message: 'not found' }] : [200, item]
/** The response to a creation, with a Location below `path`, if there is one. */
const created = (path: string | undefined, item: { id: string } | undefined): LibraryResponse =>
  item === undefined
    ? [404, { message: 'no such book or reader' }]
    : [201, item, path === undefined ? {} : { location: `${path}/${item.id}` }]

function write(response: ServerResponse, [status, body, headers]: LibraryResponse): void {
  const text = body === undefined ? '' : JSON.stringify(body)
  response
    .writeHead(
      status,
      text === ''
        ? {}
        : {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
            ...headers,
          },
    )
    .end(text)
}
