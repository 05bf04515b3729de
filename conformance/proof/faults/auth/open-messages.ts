import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hit } from '../../../../mocks/kit/kit.ts'
import { pathOf, withChoices, type MakeAuthDeviation } from './building.ts'

type Message = { method?: string; id?: unknown }

/** Answers the message in the body of a request, without verifying the token of the request. */
function answer(message: Message | Message[], response: ServerResponse): void {
  const all = [message].flat().filter(({ id }) => id !== undefined)
  if (all.length === 0) return void response.writeHead(202).end()
  const replies = all.map(({ id }) => ({ jsonrpc: '2.0', id, result: {} }))
  response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(Array.isArray(message) ? replies : replies[0]))
}

/**
 * Passes the body to `use` without consuming it. Passes only the first chunk, so the body must
 * arrive in one chunk.
 */
export function peek(request: IncomingMessage, use: (body: string) => void): void {
  request.once('readable', () => {
    const chunk = request.read() as Buffer | null
    if (chunk !== null) request.unshift(chunk)
    use(chunk?.toString() ?? '')
  })
}

function messageIn(body: string): Message | Message[] {
  try {
    return JSON.parse(body) as Message | Message[]
  } catch {
    return {}
  }
}

const intercepted =
  (isOpen: (message: Message | Message[]) => boolean, hit: Hit) =>
  (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (request.method !== 'POST' || pathOf(request) !== '/mcp') return next()
    peek(request, (body) => {
      const message = messageIn(body)
      const hasToken = request.headers.authorization !== undefined && !Array.isArray(message)
      if (hasToken || !isOpen(message)) return next()
      hit()
      request.resume()
      answer(message, response)
    })
  }

/** Requires no token for the messages that `isOpen` selects. */
export const openFor = (
  isOpen: (message: Message | Message[]) => boolean,
  sessions = false,
): MakeAuthDeviation =>
  withChoices({ server: { sessions } }, (hit) => ({ intercept: intercepted(isOpen, hit) }))

/** Requires no token for the messages of a method. */
export const openForMethod = (method: string, sessions = false): MakeAuthDeviation =>
  openFor((message) => !Array.isArray(message) && message.method === method, sessions)

/** Answers messages to /mcp/, the endpoint with a slash at the end, without a token. */
export const openWithSlash: MakeAuthDeviation = (hit) => ({
  intercept(request, response, next) {
    if (pathOf(request) !== '/mcp/') return next()
    hit()
    peek(request, (body) => {
      request.resume()
      answer(messageIn(body), response)
    })
  },
})
