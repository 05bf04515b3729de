import type { McpConnection, McpExchange } from '../../../conformance/wire/index.ts'

/** The longest part of a response in a message, in characters. */
const maxShown = 200

/**
 * Describes a response of a server that contains no result, and what to do about it: "HTTP 401
 * {"error": "invalid_token"}" and the option to add. Resolves to undefined if nothing was received.
 */
export function describeRefusal(
  exchange: McpExchange,
  { stream }: Pick<McpConnection, 'stream'>,
  hasHeader: boolean,
): string | undefined {
  // Over HTTP+SSE, a server can refuse the stream; then nothing else was sent.
  const refused = exchange.httpStatus === undefined ? stream : exchange
  const { httpStatus: status } = refused ?? exchange
  const error = errorIn(exchange)
  if (status !== undefined && (status < 200 || status >= 300)) {
    const location = refused?.header('location')
    const shown = error ?? beginningOf(refused?.text ?? '')
    const what =
      location === undefined ? shown : `to ${location}${shown === '' ? '' : `: ${shown}`}`
    const advice = adviceFor(status, hasHeader)
    return `HTTP ${status}${what === '' ? '' : ` ${what}`}${advice === undefined ? '' : `\nNext: ${advice}`}`
  }
  return error
}

/** The error that the server sent. An object without a code is not a JSON-RPC error. */
function errorIn({ answer }: McpExchange): string | undefined {
  if (answer === undefined) return undefined
  const { error } = answer.json
  const { code, message } = (error ?? {}) as Record<string, unknown>
  return typeof code === 'number' && typeof message === 'string'
    ? `error ${code} ${JSON.stringify(beginningOf(message))}`
    : beginningOf(JSON.stringify(answer.message))
}

function adviceFor(status: number, hasHeader: boolean): string | undefined {
  if (status === 401 || status === 403)
    return hasHeader
      ? 'check the value of --header.'
      : 'send the token with --header, as in --header "Authorization=Bearer …".'
  if (status === 404 || status === 405)
    return 'check the path, such as /mcp, or /sse for the transport HTTP+SSE (sse:URL).'
  return status >= 300 && status < 400 ? 'use the URL to which the server redirects.' : undefined
}

function beginningOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line
}
