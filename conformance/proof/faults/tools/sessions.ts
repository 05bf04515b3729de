import type { IncomingMessage } from 'node:http'
import { setHeader } from '../../../../mocks/stateful/tools.ts'
import {
  captureBody,
  changeHead,
  onHttpRequest,
  fault,
  type MakeToolsDeviation,
} from './building.ts'

const idOf = ({ headers }: IncomingMessage): string | undefined => {
  const id = headers['mcp-session-id']
  return typeof id === 'string' ? id : undefined
}

/** Adds a prefix to session ids. */
const prefixSessionIds = (prefix: string): MakeToolsDeviation =>
  onHttpRequest((request, response, hit) => {
    const id = idOf(request)
    if (id?.startsWith(prefix) === true)
      setHeader(request, 'mcp-session-id', id.slice(prefix.length))
    changeHead(response, (status, headers) => {
      const own = headers['mcp-session-id']
      if (own === undefined) return undefined
      hit()
      return { status, headers: { ...headers, 'mcp-session-id': `${prefix}${own}` } }
    })
  })

/** Replaces session ids by those that `makeId` returns, called with 1, 2, and so on. */
const replaceSessionIds =
  (makeId: (count: number) => string): MakeToolsDeviation =>
  (hit) => {
    const known = new Map<string, string>()
    const shown = new Map<string, string>()
    return onHttpRequest((request, response) => {
      const own = known.get(idOf(request) ?? '')
      if (own !== undefined) setHeader(request, 'mcp-session-id', own)
      changeHead(response, (status, headers) => {
        const id = headers['mcp-session-id']
        if (id === undefined) return undefined
        if (!shown.has(id)) {
          hit()
          shown.set(id, makeId(shown.size + 1))
          known.set(shown.get(id)!, id)
        }
        return { status, headers: { ...headers, 'mcp-session-id': shown.get(id)! } }
      })
    })(hit)
  }

/** The title in a client's clientInfo, if there is one. */
const titleIn = (body: string): string | undefined =>
  /"clientInfo":\{[^}]*"title":"([^"]*)"/.exec(body)?.[1]

/**
 * Replaces the id of a new session whose client has a title. If `before` returns `gone`, the
 * request gets status 404.
 */
const onTitledSession = (
  replaceId: (title: string, id: string) => string,
  before: (request: IncomingMessage) => 'gone' | undefined = () => undefined,
): MakeToolsDeviation =>
  onHttpRequest((request, response, hit) => {
    if (before(request) === 'gone') {
      hit()
      response.writeHead(404).end()
      return true
    }
    const body = captureBody(request)
    changeHead(response, (status, headers) => {
      const [id, title] = [
        headers['mcp-session-id'],
        idOf(request) === undefined ? titleIn(body()) : undefined,
      ]
      if (id === undefined || title === undefined) return undefined
      const own = replaceId(title, id)
      if (own === id) return undefined
      hit()
      return { status, headers: { ...headers, 'mcp-session-id': own } }
    })
    return false
  })

/** Shares a session among clients with the same title. */
const shareSessions: MakeToolsDeviation = (hit) => {
  const known = new Map<string, string>()
  return onTitledSession((title, id) => {
    if (!known.has(title)) known.set(title, id)
    return known.get(title)!
  })(hit)
}

/** Ends the sessions of all clients with the same title together. */
const endSessionsTogether: MakeToolsDeviation = (hit) => {
  const known = new Map<string, string>()
  const ended = new Set<string>()
  return onTitledSession(
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

/** Faults in the sessions of Streamable HTTP. */
export const sessions = [
  fault(
    'session-id-with-a-space',
    'Uses session ids with spaces.',
    ['TOOL-HTTP-05'],
    prefixSessionIds('shelf session '),
  ),
  fault(
    'session-id-beyond-ascii',
    'Uses session ids with characters outside ASCII.',
    ['TOOL-HTTP-05'],
    prefixSessionIds('s\u00e9ance-'),
  ),

  fault(
    'ended-session-continues',
    'Returns 204 for DELETE but keeps the session.',
    ['TOOL-HTTP-06'],
    onHttpRequest((request, response, hit) => {
      if (request.method !== 'DELETE') return false
      hit()
      response.writeHead(204).end()
      return true
    }),
  ),

  fault(
    'session-ids-count-up',
    'Counts sessions, and uses the number as the id.',
    ['TOOL-HTTP-15'],
    replaceSessionIds((count) => `shelf-${count}`),
  ),
  fault(
    'session-ids-are-times',
    'Uses the time in nanoseconds as the session id.',
    ['TOOL-HTTP-15'],
    replaceSessionIds(() => `${process.hrtime.bigint() + 1_764_326_000_000_000_000n}`),
  ),

  fault(
    'clients-share-a-session',
    'Shares one session among clients with the same title.',
    ['TOOL-HTTP-11'],
    shareSessions,
  ),
  fault(
    'one-end-ends-all',
    'Ends the sessions of all clients with the same title together.',
    ['TOOL-HTTP-11'],
    endSessionsTogether,
  ),
]
