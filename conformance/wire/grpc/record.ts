import type { ExchangeRecord } from '../../engine/index.ts'
import { commandLineOf } from './command-line.ts'
import type { RecordedStream } from './messages.ts'

/**
 * Limits of the messages in a record, for each direction; `each` limits the length of one message.
 */
const limits = { messages: 50, characters: 64 * 1024, each: 2000 }

/** A stream as plain data without secrets: one message per line, headers and trailers together. */
export function recordOf(exchange: RecordedStream): ExchangeRecord {
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
  const curl = commandLineOf(exchange)
  const pairs = (list: readonly (readonly [string, string])[]) =>
    list.map(([name, value]): [string, string] => [name, redact(value)])
  const sent = exchange.sent
    .slice(0, limits.messages)
    .map(
      ({ frame, message }) =>
        (message === undefined ? undefined : call.format?.request(message)) ?? base64(frame),
    )
  const received = exchange.received
    .slice(0, limits.messages)
    .map(({ bytes }) => call.format?.response(bytes) ?? base64(bytes))
  return {
    number,
    operation,
    request: {
      method: 'POST',
      url: redact(exchange.url),
      headers: Object.fromEntries(pairs(metadata)),
      body: sentCount === 0 ? null : redact(joinLines(sent, sentCount)),
    },
    ...(exchange.httpStatus === undefined
      ? {}
      : {
          response: {
            status: exchange.httpStatus,
            headers: pairs([...exchange.headers, ...exchange.trailers]),
            body: redact(joinLines([...received, ...problems], receivedCount + problems.length)),
          },
        }),
    ...(end?.failure === undefined ? {} : { failure: redact(end.failure) }),
    curl,
    // If the command line has a comment, it sends only a part of the messages.
    isSelfContained: !curl.includes('   # '),
    milliseconds,
  }
}

/** Encodes bytes that cannot be formatted in another way. */
function base64(bytes: Uint8Array): string {
  return `base64:${Buffer.from(bytes.subarray(0, limits.each)).toString('base64')}${bytes.length > limits.each ? `… (${bytes.length} bytes)` : ''}`
}

/** Joins strings, one per line, up to the limits. Adds how many are omitted. */
function joinLines(texts: readonly string[], count: number): string {
  const lines: string[] = []
  let room = limits.characters
  for (const text of texts) {
    const line =
      text.length > limits.each && !text.startsWith('base64:')
        ? `${text.slice(0, limits.each)}… (${text.length} characters)`
        : text
    if (line.length > room) break
    room -= line.length
    lines.push(line)
  }
  return [...lines, ...(count > lines.length ? [`… and ${count - lines.length} more`] : [])].join(
    '\n',
  )
}
