import type { Redactor } from '../secrets.ts'
import { quoteForShell } from '../shell.ts'
import type { RecordedStream } from './messages.ts'

/** Limits of a command line: number of messages, characters of JSON, bytes of frames. */
const limits = { messages: 5, characters: 4000, bytes: 256 }

/** Metadata that a grpcurl command omits: grpcurl sends its own, and needs no deadline. */
const protocolMetadata = new Set([
  'te',
  'content-type',
  'user-agent',
  'grpc-accept-encoding',
  'grpc-timeout',
])

/**
 * Formats a command that makes the same call: with grpcurl if the messages are uncompressed and
 * short enough as JSON, otherwise with curl and the frames. For a long stream, the command sends
 * only the first messages, and states that in a comment. Secrets are written as `$NAME` in double
 * quotes, so that a shell inserts them.
 */
export function commandLineOf(exchange: RecordedStream): string {
  const { call, metadata, sent, sentCount } = exchange
  const first = sent.slice(0, limits.messages)
  const formatted = first.flatMap(({ message }) =>
    message === undefined ? [] : (call.format?.request(message) ?? []),
  )
  const isCompressed = metadata.some(([name]) => name === 'grpc-encoding')
  const isShort = formatted.join('').length <= limits.characters
  const line =
    !isCompressed && isShort && formatted.length === first.length
      ? formatGrpcurl(exchange, formatted)
      : formatCurl(exchange, Buffer.concat(first.map(({ frame }) => frame)))
  return sentCount > first.length
    ? `${line}   # and ${sentCount - first.length} more messages`
    : line
}

function formatGrpcurl(
  { call, address, secure, metadata, redact }: RecordedStream,
  messages: readonly string[],
): string {
  const own = metadata.filter(([name]) => !protocolMetadata.has(name))
  return [
    'grpcurl',
    secure ? '-insecure' : '-plaintext',
    ...formatHeaders(own, redact),
    '-d',
    quoteForShell(messages.join(' '), redact),
    address,
    call.path.slice(1),
  ].join(' ')
}

function formatCurl({ url, secure, metadata, redact }: RecordedStream, frames: Buffer): string {
  const line = [
    'curl',
    '-i',
    ...(secure ? ['-k', '--http2'] : ['--http2-prior-knowledge']),
    ...formatHeaders(metadata, redact),
    '--data-binary',
    '@-',
    quoteForShell(url, redact),
  ].join(' ')
  if (frames.length > limits.bytes)
    return `${line}   # the frames (${frames.length} bytes) must be on standard input`
  return `printf '${[...frames].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}' | ${line}`
}

function formatHeaders(pairs: readonly (readonly [string, string])[], redact: Redactor): string[] {
  return pairs.flatMap(([name, value]) => ['-H', quoteForShell(`${name}: ${value}`, redact)])
}
