import type { IncomingMessage } from 'node:http'
import { setHeader } from '../../../../mocks/stateful/tools.ts'
import { bodyOf, changesHead, door, fault, type MakeToolsDeviation } from './building.ts'

const idOf = ({ headers }: IncomingMessage): string | undefined => {
  const id = headers['mcp-session-id']
  return typeof id === 'string' ? id : undefined
}

/** Gives sessions longer names, and knows them by these. */
const named = (prefix: string): MakeToolsDeviation =>
  door((request, response, hit) => {
    const id = idOf(request)
    if (id?.startsWith(prefix) === true)
      setHeader(request, 'mcp-session-id', id.slice(prefix.length))
    changesHead(response, (status, headers) => {
      const own = headers['mcp-session-id']
      if (own === undefined) return undefined
      hit()
      return { status, headers: { ...headers, 'mcp-session-id': `${prefix}${own}` } }
    })
  })

/** The title that a client has, where it tells one. */
const titleIn = (body: string): string | undefined =>
  /"clientInfo":\{[^}]*"title":"([^"]*)"/.exec(body)?.[1]

/** Tells of each session whose client has a title, when it begins. With another id given back, that one takes its place. */
const titled = (
  begins: (title: string, id: string) => string,
  before: (request: IncomingMessage) => 'gone' | undefined = () => undefined,
): MakeToolsDeviation =>
  door((request, response, hit) => {
    if (before(request) === 'gone') {
      hit()
      response.writeHead(404).end()
      return true
    }
    const body = bodyOf(request)
    changesHead(response, (status, headers) => {
      const [id, title] = [
        headers['mcp-session-id'],
        idOf(request) === undefined ? titleIn(body()) : undefined,
      ]
      if (id === undefined || title === undefined) return undefined
      const own = begins(title, id)
      if (own === id) return undefined
      hit()
      return { status, headers: { ...headers, 'mcp-session-id': own } }
    })
    return false
  })

/** Gives clients that look alike one session. */
const shared: MakeToolsDeviation = (hit) => {
  const known = new Map<string, string>()
  return titled((title, id) => {
    if (!known.has(title)) known.set(title, id)
    return known.get(title)!
  })(hit)
}

/** Ends with a session those of all clients that look alike. */
const endsAll: MakeToolsDeviation = (hit) => {
  const known = new Map<string, string>()
  const ended = new Set<string>()
  return titled(
    (title, id) => {
      known.set(id, title)
      return id
    },
    (request) => {
      const id = idOf(request) ?? ''
      const title = known.get(id)
      if (title === undefined) return undefined
      if (ended.has(title)) return 'gone'
      if (request.method === 'DELETE') setImmediate(() => ended.add(title))
      return undefined
    },
  )(hit)
}

/** Sessions of streamable HTTP. */
export const sessions = [
  fault(
    'session-id-with-a-space',
    'Names sessions by two words.',
    ['TOOL-HTTP-05'],
    named('shelf session '),
  ),
  fault(
    'session-id-beyond-ascii',
    'Names sessions with letters beyond ASCII.',
    ['TOOL-HTTP-05'],
    named('s\u00e9ance-'),
  ),

  fault(
    'ended-session-goes-on',
    'Says that a session is ended, and keeps it.',
    ['TOOL-HTTP-06'],
    door((request, response, hit) => {
      if (request.method !== 'DELETE') return false
      hit()
      response.writeHead(204).end()
      return true
    }),
  ),

  fault(
    'no-session-is-the-latest',
    'Serves requests without a session in the one that began last.',
    ['TOOL-HTTP-07'],
    (hit) => {
      let latest: string | undefined
      return door((request, response) => {
        if (
          idOf(request) === undefined &&
          request.headers['mcp-protocol-version'] !== undefined &&
          latest !== undefined
        ) {
          hit()
          setHeader(request, 'mcp-session-id', latest)
        }
        changesHead(response, (_status, headers) => {
          latest = headers['mcp-session-id'] ?? latest
          return undefined
        })
      })(hit)
    },
  ),

  fault(
    'clients-share-a-session',
    'Gives clients of the same title one session.',
    ['TOOL-HTTP-11'],
    shared,
  ),
  fault(
    'one-end-ends-all',
    'Ends with one session those of all clients of the same title.',
    ['TOOL-HTTP-11'],
    endsAll,
  ),
]
