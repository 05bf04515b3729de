import type { ExchangeRecord } from '../../engine/index.ts'
import { lineOf } from './line.ts'
import type { Recorded } from './messages.ts'

/** What a record keeps of the messages of either side. */
const kept = { messages: 50, characters: 64 * 1024, each: 2000 }

/** A stream as plain data without secrets: its messages one to a line, headers and trailers together. */
export function recordOf(exchange: Recorded): ExchangeRecord {
  const {
    number,
    operation,
    call,
    metadata,
    redact,
    end,
    milliseconds,
    sentCount,
    receivedCount,
    problems,
  } = exchange
  const pairs = (list: readonly (readonly [string, string])[]) =>
    list.map(([name, value]): [string, string] => [name, redact(value)])
  const asked = exchange.sent
    .slice(0, kept.messages)
    .map(
      ({ frame, message }) =>
        (message === undefined ? undefined : call.tell?.request(message)) ?? base64(frame),
    )
  const came = exchange.received
    .slice(0, kept.messages)
    .map(({ bytes }) => call.tell?.response(bytes) ?? base64(bytes))
  return {
    number,
    operation,
    request: {
      method: 'POST',
      url: redact(exchange.url),
      headers: Object.fromEntries(pairs(metadata)),
      body: sentCount === 0 ? null : redact(listed(asked, sentCount)),
    },
    ...(exchange.httpStatus === undefined
      ? {}
      : {
          response: {
            status: exchange.httpStatus,
            headers: pairs([...exchange.headers, ...exchange.trailers]),
            body: redact(listed([...came, ...problems], receivedCount + problems.length)),
          },
        }),
    ...(end?.failure === undefined ? {} : { failure: redact(end.failure) }),
    curl: lineOf(exchange),
    milliseconds,
  }
}

/** Bytes that cannot be told otherwise. */
function base64(bytes: Uint8Array): string {
  return `base64:${Buffer.from(bytes.subarray(0, kept.each)).toString('base64')}${bytes.length > kept.each ? `… (${bytes.length} bytes)` : ''}`
}

/** Texts one to a line, as many as are kept, and how many there are more. */
function listed(texts: readonly string[], count: number): string {
  const lines: string[] = []
  let room = kept.characters
  for (const text of texts) {
    const line =
      text.length > kept.each && !text.startsWith('base64:')
        ? `${text.slice(0, kept.each)}… (${text.length} characters)`
        : text
    if (line.length > room) break
    room -= line.length
    lines.push(line)
  }
  return [...lines, ...(count > lines.length ? [`… and ${count - lines.length} more`] : [])].join(
    '\n',
  )
}
