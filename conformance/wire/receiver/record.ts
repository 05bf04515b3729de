import type { ExchangeRecord } from '../../engine/index.ts'
import { bodyFileName, formatCurl, type CommandLine } from '../curl.ts'
import type { ResponseOutcome, SentResponse } from './response-outcome.ts'

/** What a record takes of a delivery. */
interface RecordedDelivery {
  readonly number: number
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly headers: readonly [string, string][]
  readonly body: Buffer
  readonly failure: string | undefined
  readonly isSecure: boolean
  readonly milliseconds: number
}

/** Characters of a body that a record keeps. */
const maxBodyCharacters = 64 * 1024
/** Headers that curl writes itself, or that belong to one connection. */
const connectionHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'expect',
  'content-type',
])

/** A delivery as plain data without secrets. `text` is its body, `origin` the receiver at which it came in. */
export function recordOf(
  delivery: RecordedDelivery,
  text: string,
  origin: string,
  sent: SentResponse | undefined,
  redact: (text: string) => string,
): ExchangeRecord {
  const { number, operation, method, body, milliseconds } = delivery
  const failure = delivery.failure ?? noResponseReason(sent?.outcome)
  const headers = joinHeaders(delivery.headers)
  const url = addressOf(delivery.url, origin)
  const line = commandLineOf(delivery, url, headers, redact)
  return {
    number,
    operation,
    request: {
      method,
      url: redact(url),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, redact(value)]),
      ),
      body: body.length === 0 ? null : truncate(redact(text)),
    },
    ...(typeof sent?.outcome === 'number'
      ? {
          response: {
            status: sent.outcome,
            headers: sent.headers.map(([name, value]): [string, string] => [name, redact(value)]),
            body: truncate(redact(sent.body)),
          },
        }
      : {}),
    ...(failure === undefined ? {} : { failure }),
    ...line,
    curl: line.curl + (delivery.isSecure ? ' -k' : ''),
    milliseconds,
  }
}

/** Path and query as a whole address. What believes to talk to a proxy names the whole address itself. */
function addressOf(url: string, origin: string): string {
  if (/^https?:/i.test(url)) return url
  return url.startsWith('/') ? origin + url : `${origin}/${url}`
}

function joinHeaders(headers: readonly [string, string][]): Record<string, string> {
  const all = new Map<string, [string, string]>()
  for (const [name, value] of headers) {
    const before = all.get(name.toLowerCase())
    all.set(
      name.toLowerCase(),
      before === undefined ? [name, value] : [before[0], `${before[1]}, ${value}`],
    )
  }
  return Object.fromEntries(all.values())
}

/** A body that no command line can carry is left to a file, which has to be written from the delivery's body first. */
function commandLineOf(
  { operation, method, body, number }: RecordedDelivery,
  url: string,
  all: Record<string, string>,
  redact: (text: string) => string,
): CommandLine {
  const headers = Object.fromEntries(
    Object.entries(all).filter(([name]) => !connectionHeaders.has(name.toLowerCase())),
  )
  const type = Object.entries(all).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const text = textOf(body)
  if (body.length > 0 && text !== undefined)
    return formatCurl(
      { operation, method, url, headers, body: { kind: 'text', text, type: type ?? '' } },
      redact,
      number,
    )
  const line = formatCurl(
    {
      operation,
      method,
      url,
      headers: { ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) },
    },
    redact,
    number,
  )
  if (body.length === 0) return line
  const bodyFile = bodyFileName(number)
  return { curl: `${line.curl} --data-binary @${bodyFile}`, bodyFile }
}

/** Bytes as text, where nothing is lost by that. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined
}

function noResponseReason(answered: ResponseOutcome | undefined): string | undefined {
  if (answered === undefined) return 'no answer yet, or the sender did not wait for it'
  return typeof answered === 'number' ? undefined : `the receiver ${answered}`
}

function truncate(text: string): string {
  return text.length > maxBodyCharacters
    ? `${text.slice(0, maxBodyCharacters)}… (${text.length} characters)`
    : text
}
