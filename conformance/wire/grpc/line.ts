import { shellQuoted } from '../shell.ts'
import type { Recorded } from './messages.ts'

/** What a command line takes of what was sent. */
const inLine = { messages: 5, characters: 4000, bytes: 256 }

/** Metadata that grpcurl writes itself. */
const ofTheProtocol = new Set([
  'te',
  'content-type',
  'user-agent',
  'grpc-accept-encoding',
  'grpc-timeout',
])

/**
 * A command line that makes the same call: grpcurl where all that was sent can be written as JSON, else curl with the frames themselves. Secrets appear as
 * `$NAME`, in double quotes, so that a shell fills them in.
 */
export function lineOf(exchange: Recorded): string {
  const { call, metadata, sent, sentCount } = exchange
  const first = sent.slice(0, inLine.messages)
  const told = first.flatMap(({ message }) =>
    message === undefined ? [] : (call.tell?.request(message) ?? []),
  )
  const coded = metadata.some(([name]) => name === 'grpc-encoding')
  const small = told.join('').length <= inLine.characters
  const line =
    !coded && small && told.length === first.length
      ? grpcurl(exchange, told)
      : curl(exchange, Buffer.concat(first.map(({ frame }) => frame)))
  return sentCount > first.length
    ? `${line}   # and ${sentCount - first.length} messages more`
    : line
}

function grpcurl(
  { call, address, secure, metadata, redact }: Recorded,
  messages: readonly string[],
): string {
  const own = metadata.filter(([name]) => !ofTheProtocol.has(name))
  return [
    'grpcurl',
    secure ? '-insecure' : '-plaintext',
    ...headers(own, redact),
    '-d',
    shellQuoted(messages.join(' '), redact),
    address,
    call.path.slice(1),
  ].join(' ')
}

function curl({ url, secure, metadata, redact }: Recorded, frames: Buffer): string {
  const line = [
    'curl',
    '-i',
    ...(secure ? ['-k', '--http2'] : ['--http2-prior-knowledge']),
    ...headers(metadata, redact),
    '--data-binary',
    '@-',
    shellQuoted(url, redact),
  ].join(' ')
  if (frames.length > inLine.bytes)
    return `${line}   # frames of ${frames.length} bytes and more on standard input`
  return `printf '${[...frames].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}' | ${line}`
}

function headers(
  pairs: readonly (readonly [string, string])[],
  redact: (text: string) => string,
): string[] {
  return pairs.flatMap(([name, value]) => ['-H', shellQuoted(`${name}: ${value}`, redact)])
}
