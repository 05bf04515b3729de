import type { IncomingMessage, ServerResponse } from 'node:http'
import { changeHead, onHttpRequest, pathOf, type MakeAuthDeviation } from './building.ts'

/** A protected endpoint of the mock: a method of a path, in a session or not. */
export interface FaultyEndpoint {
  /** A part of the name of a fault, such as `get-mcp-in-session`. */
  readonly name: string
  readonly description: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: '/mcp' | '/sse' | '/messages'
  readonly inSession?: boolean
}

export const endpoints = {
  post: { name: 'post-mcp', description: 'POST /mcp', method: 'POST', path: '/mcp' },
  get: { name: 'get-mcp', description: 'GET /mcp', method: 'GET', path: '/mcp' },
  delete: { name: 'delete-mcp', description: 'DELETE /mcp', method: 'DELETE', path: '/mcp' },
  postInSession: {
    name: 'post-mcp-in-session',
    description: 'POST /mcp in a session',
    method: 'POST',
    path: '/mcp',
    inSession: true,
  },
  getInSession: {
    name: 'get-mcp-in-session',
    description: 'GET /mcp in a session',
    method: 'GET',
    path: '/mcp',
    inSession: true,
  },
  deleteInSession: {
    name: 'delete-mcp-in-session',
    description: 'DELETE /mcp in a session',
    method: 'DELETE',
    path: '/mcp',
    inSession: true,
  },
  events: { name: 'sse', description: 'GET /sse', method: 'GET', path: '/sse' },
  messages: {
    name: 'messages',
    description: 'the message endpoint of an SSE stream',
    method: 'POST',
    path: '/messages',
  },
} as const satisfies Record<string, FaultyEndpoint>

/** Whether a request is for this endpoint. */
export const isAtEndpoint = (
  { method, path, inSession = false }: FaultyEndpoint,
  request: IncomingMessage,
): boolean =>
  request.method === method &&
  pathOf(request) === path &&
  (request.headers['mcp-session-id'] !== undefined) === inSession

/** What an endpoint returns in place of its refusals with a certain status. */
interface Refusal {
  readonly status?: number
  readonly text?: string
  /** The challenge in WWW-Authenticate; undefined removes it. */
  readonly challenge?: string | undefined
}

/** Changes the refusals of one endpoint that have the status `refused`. */
export const refuseAt = (
  endpoint: FaultyEndpoint,
  refused: number,
  refusal: Refusal,
): MakeAuthDeviation =>
  onHttpRequest((request, response, hit) => {
    if (!isAtEndpoint(endpoint, request)) return
    changeHead(response, (status, headers) => {
      if (status !== refused) return undefined
      hit()
      const { 'www-authenticate': challenge, 'content-length': length, ...others } = headers
      const sent = 'challenge' in refusal ? refusal.challenge : challenge
      if (refusal.text !== undefined) replaceBody(response, refusal.text)
      return {
        status: refusal.status ?? status,
        headers: {
          ...others,
          ...(sent === undefined ? {} : { 'www-authenticate': sent }),
          ...(length === undefined || refusal.text !== undefined
            ? {}
            : { 'content-length': length }),
        },
      }
    })
  })

function replaceBody(response: ServerResponse, text: string): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse
  response.end = (() => end(text)) as typeof response.end
}
