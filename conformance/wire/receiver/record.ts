import type { Redactor } from '../secrets.ts'
import { shorten, type ExchangeRecord } from '../../engine/index.ts'
import { bodyFileName, formatCurl, type CommandLine } from '../curl.ts'
import { maxBodyCharacters } from '../shown-body.ts'
import type { ResponseOutcome, SentResponse } from './response-outcome.ts'

/** The parts of a delivery from which its record is created. */
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

/**
 * Headers that are not copied to the command: curl or the command sets them in another way, or they
 * apply only to one connection.
 */
const omittedHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'expect',
  'content-type',
])

/**
 * Creates a record without secrets. `text` is the start of the decoded body, without secrets;
 * `origin` is where the receiver listens.
 */
export function recordOf(
  delivery: RecordedDelivery,
  text: string,
  origin: string,
  sent: SentResponse | undefined,
  redact: Redactor,
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
      body: body.length === 0 ? null : text,
    },
    ...(typeof sent?.outcome === 'number'
      ? {
          response: {
            status: sent.outcome,
            headers: sent.headers.map(([name, value]): [string, string] => [name, redact(value)]),
            body: shorten(redact(sent.body), maxBodyCharacters),
          },
        }
      : {}),
    ...(failure === undefined ? {} : { failure }),
    ...line,
    curl: line.curl + (delivery.isSecure ? ' -k' : ''),
    milliseconds,
  }
}

/** Returns an absolute URL. A sender that uses a proxy sends an absolute URL itself. */
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

/**
 * Formats a curl command. If the body is not text, the command reads it from a file of the report.
 */
function commandLineOf(
  { operation, method, body, number }: RecordedDelivery,
  url: string,
  all: Record<string, string>,
  redact: Redactor,
): CommandLine {
  const headers = Object.fromEntries(
    Object.entries(all).filter(([name]) => !omittedHeaders.has(name.toLowerCase())),
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

/** Decodes bytes for a command line. Undefined if they contain NUL or are not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined
}

function noResponseReason(answered: ResponseOutcome | undefined): string | undefined {
  if (answered === undefined) return 'no response yet, or the sender did not wait for it'
  return typeof answered === 'number' ? undefined : `the receiver ${answered}`
}
