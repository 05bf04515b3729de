import { shellQuoted } from '../shell.ts'
import type { ExchangeRecord } from '../../engine/index.ts'
import { curlOf, type CommandLine } from '../curl.ts'
import type { McpProblem } from './jsonrpc.ts'
import type { McpTransport } from './places.ts'
import type { McpFailure, McpReceived, McpSent } from './received.ts'

/** What a record tells of an exchange. */
interface Recorded {
  readonly number: number
  readonly operation: string
  readonly transport: McpTransport
  readonly sent: McpSent
  readonly httpStatus: number | undefined
  readonly rawHeaders: readonly [string, string][]
  readonly text: string
  readonly responses: readonly McpReceived[]
  readonly notifications: readonly McpReceived[]
  readonly requests: readonly McpReceived[]
  readonly receivedCount: number
  readonly problems: readonly McpProblem[]
  readonly failure: McpFailure | undefined
  readonly why: string | undefined
  readonly milliseconds: number
  readonly redact: (text: string) => string
}

/** Characters of either side that a record keeps. */
const kept = 64 * 1024

/**
 * An exchange as plain data without secrets. Over stdio the method is `stdio`, the URL is the command line, and the status 0 stands for none. What came is
 * the body of the answer, or where messages came otherwise these, one to a line; then the problems.
 */
export function recordOf(exchange: Recorded): ExchangeRecord {
  const {
    number,
    operation,
    sent,
    httpStatus,
    rawHeaders,
    failure,
    why,
    milliseconds,
    redact,
    problems,
  } = exchange
  const clean = (text: string) => cut(redact(text))
  const came = httpStatus !== undefined || exchange.receivedCount > 0 || problems.length > 0
  return {
    number,
    operation,
    request: {
      method: sent.method,
      url: redact(sent.url),
      headers: Object.fromEntries(
        Object.entries(sent.headers).map(([name, value]) => [name, redact(value)]),
      ),
      body: sent.text === undefined ? null : clean(sent.text),
    },
    ...(came
      ? {
          response: {
            status: httpStatus ?? 0,
            headers: rawHeaders.map(([name, value]): [string, string] => [name, redact(value)]),
            body: [
              clean(bodyOf(exchange)),
              ...problems.slice(0, 20).map(({ text }) => `! ${redact(text)}`),
            ].join('\n'),
          },
        }
      : {}),
    ...(failure === undefined ? {} : { failure: redact(why ?? failure) }),
    ...lineOf(exchange),
    milliseconds,
  }
}

function bodyOf({ transport, text, responses, notifications, requests }: Recorded): string {
  if (transport === 'http' && text !== '') return text
  const all = [...notifications, ...requests, ...responses].sort(
    (one, other) => one.order - other.order,
  )
  return all.length === 0 ? text : all.map(({ message }) => JSON.stringify(message)).join('\n')
}

/** A command line that sends the same: curl, or a line to the subprocess after a handshake. Over HTTP+SSE another `curl` has to hold the stream open. */
function lineOf({ transport, sent, redact, number, operation }: Recorded): CommandLine {
  if (transport === 'stdio') {
    const lines = operation === 'initialize' ? [sent.text ?? ''] : [...handshake, sent.text ?? '']
    const curl = `(printf '%s\\n' ${lines.map((line) => shellQuoted(cut(line, 4000), redact)).join(' ')}; sleep 5) | ${redact(sent.url)}`
    return { curl }
  }
  const { 'Content-Type': type = 'application/json', ...headers } = sent.headers
  const body =
    sent.text === undefined ? {} : { body: { kind: 'text' as const, text: sent.text, type } }
  const line = curlOf(
    { operation, method: sent.method, url: sent.url, headers, ...body },
    redact,
    number,
  )
  return transport === 'sse' && sent.method === 'POST'
    ? {
        ...line,
        curl: `${line.curl}   # while «curl -N» holds the event stream that told this address`,
      }
    : line
}

const handshake = [
  '{"jsonrpc":"2.0","id":"touchstone","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"touchstone","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
]

function cut(text: string, most = kept): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text
}
