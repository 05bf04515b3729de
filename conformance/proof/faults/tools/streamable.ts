import type { IncomingMessage, ServerResponse } from 'node:http'
import { setHeader } from '../../../../mocks/stateful/tools.ts'
import {
  bodyOf,
  changesHead,
  door,
  fault,
  pathOf,
  replaceRules,
  type MakeToolsDeviation,
} from './building.ts'

const isOwn = (request: IncomingMessage, method: string): boolean =>
  pathOf(request) === '/mcp' && request.method === method

/** Changes status and headers of answers to POST, where the request is of the kind. */
function head(
  change: (
    status: number,
    headers: Record<string, string>,
    request: IncomingMessage,
  ) => { status: number; headers: Record<string, string> } | undefined,
  method = 'POST',
): MakeToolsDeviation {
  return door((request, response, hit) => {
    if (isOwn(request, method))
      changesHead(response, (status, headers) => {
        const changed = change(status, headers, request)
        if (changed !== undefined) hit()
        return changed
      })
  })
}

/** Gives another status in place of one. */
const status = (
  from: number,
  to: number,
  where: (request: IncomingMessage) => boolean = () => true,
): MakeToolsDeviation =>
  head((given, headers, request) =>
    given === from && where(request) ? { status: to, headers } : undefined,
  )

const hasSession = ({ headers }: IncomingMessage): boolean => 'mcp-session-id' in headers
const versionOf = ({ headers }: IncomingMessage): string =>
  String(headers['mcp-protocol-version'] ?? '')
const isStrange = (request: IncomingMessage): boolean => !/^20\d\d-/.test(versionOf(request))

/** Answers GET in another way. */
const gets = (answer: (response: ServerResponse) => unknown): MakeToolsDeviation =>
  door((request, response, hit) => {
    if (!isOwn(request, 'GET')) return false
    hit()
    answer(response)
    return true
  })

/** Streamable HTTP, but for its sessions. */
export const streamable = [
  fault('answers-are-plain-text', 'Calls its JSON plain text.', ['TOOL-HTTP-02'], (hit) => ({
    ...head((code, headers) =>
      code === 200
        ? { status: code, headers: { ...headers, 'content-type': 'text/plain' } }
        : undefined,
    )(hit),
    choices: { framing: 'json' },
  })),
  fault(
    'events-with-words',
    'Sends events with words for people among the others.',
    ['TOOL-HTTP-02'],
    door((request, response, hit) => {
      if (!isOwn(request, 'POST')) return
      changesHead(response, (given, headers) => ({
        status: given,
        headers: without(headers, 'content-length'),
      }))
      const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
      response.write = ((chunk: unknown, ...rest: unknown[]) => {
        const text = Buffer.from(chunk as Uint8Array).toString()
        if (!text.startsWith('event: message')) return write(chunk, ...rest)
        hit()
        return write(`data: working\n\n${text}`, ...rest)
      }) as typeof response.write
    }),
  ),

  fault(
    'notifications-get-200',
    'Takes notifications with status 200.',
    ['TOOL-HTTP-03'],
    status(202, 200),
  ),
  fault(
    'notifications-get-a-body',
    'Takes notifications with a word in the body.',
    ['TOOL-HTTP-03'],
    door((request, response, hit) => {
      if (!isOwn(request, 'POST')) return
      let isTaken = false
      changesHead(response, (given, headers) => {
        isTaken = given === 202
        return isTaken
          ? {
              status: given,
              headers: { 'content-type': 'text/plain', ...without(headers, 'content-length') },
            }
          : undefined
      })
      const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse
      response.end = ((...given: unknown[]) => {
        if (!isTaken) return end(...given)
        hit()
        return end('Accepted')
      }) as typeof response.end
    }),
  ),
  fault(
    'notifications-get-a-message',
    'Answers notifications with a message.',
    ['TOOL-MCP-06', 'TOOL-HTTP-03'],
    door((request, response, hit) => {
      const body = bodyOf(request)
      if (!isOwn(request, 'POST')) return
      const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse
      let isTaken = false
      changesHead(response, (given, headers) => {
        isTaken = given === 202 && body().includes('"notifications/')
        if (isTaken) hit()
        return isTaken
          ? {
              status: 200,
              headers: {
                'content-type': 'application/json',
                ...without(headers, 'content-length'),
              },
            }
          : undefined
      })
      response.end = ((...given: unknown[]) =>
        isTaken
          ? end('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}')
          : end(...given)) as typeof response.end
    }),
  ),

  fault(
    'get-is-not-found',
    'Answers GET with status 404.',
    ['TOOL-HTTP-04'],
    gets((response) => response.writeHead(404).end()),
  ),
  fault(
    'get-gives-a-page',
    'Answers GET with a page for people.',
    ['TOOL-HTTP-04'],
    gets((response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>A tool server</p>'),
    ),
  ),

  fault(
    'any-version-is-taken',
    'Does not look at MCP-Protocol-Version.',
    ['TOOL-HTTP-08'],
    door((request, _response, hit) => {
      if (!('mcp-protocol-version' in request.headers) || !isStrange(request)) return
      hit()
      setHeader(request, 'mcp-protocol-version', '2025-06-18')
    }),
  ),
  fault(
    'unknown-version-is-not-acceptable',
    'Refuses a version that does not exist with status 406.',
    ['TOOL-HTTP-08'],
    status(
      400,
      406,
      (request) => 'mcp-protocol-version' in request.headers && versionOf(request) === 'touchstone',
    ),
  ),

  fault(
    'every-origin-is-trusted',
    'Serves pages of any origin.',
    ['TOOL-HTTP-09'],
    replaceRules((_rules, hit) => ({
      trusts() {
        hit()
        return true
      },
    })),
  ),
  fault(
    'foreign-origin-is-a-bad-request',
    'Refuses pages of another origin with status 400.',
    ['TOOL-HTTP-09'],
    status(403, 400),
  ),

  fault(
    'ended-session-is-a-bad-request',
    'Refuses a session that was ended with status 400.',
    ['TOOL-HTTP-06'],
    status(404, 400, hasSession),
  ),
  fault(
    'no-session-is-not-found',
    'Refuses requests without a session with status 404.',
    ['TOOL-HTTP-07'],
    status(400, 404, (request) => !hasSession(request)),
  ),
]

function without({ ...headers }: Record<string, string>, name: string): Record<string, string> {
  delete headers[name]
  return headers
}
