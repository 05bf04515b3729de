import type { IncomingHttpHeaders } from 'node:http2'
import type { GreetingFault } from './fault.ts'
import { endAtOnce, fault, isGreeting, onStream, prefixBytes } from './building.ts'

/** The error code CANCEL of HTTP/2. */
const cancelled = 8
/** The gRPC status INTERNAL. */
const internal = '13'

/** Ends streams with INTERNAL if their metadata matches. */
const refuseMetadata = (
  name: string,
  description: string,
  matches: (headers: IncomingHttpHeaders) => boolean,
): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-GRPC-14'],
    onStream((stream, headers, hit) => {
      if (!isGreeting(headers) || !matches(headers)) return false
      hit()
      return endAtOnce(stream, { 'grpc-status': internal })
    }),
  )

/** Resets streams if the first frame of a message matches. */
const refuseFrame = (
  name: string,
  description: string,
  matches: (frame: Buffer) => boolean,
): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-GRPC-14'],
    onStream((stream, headers, hit) => {
      if (!isGreeting(headers)) return
      stream.once('data', (frame: Buffer) => {
        if (!matches(frame)) return
        hit()
        stream.close(2)
      })
    }),
  )

const hasUnit = (unit: string) => (headers: IncomingHttpHeaders) =>
  String(headers['grpc-timeout'] ?? '').endsWith(unit)

/** Faults in which a valid form of a request is refused. */
export const requestForms: readonly GreetingFault[] = [
  refuseMetadata(
    'media-type-with-a-suffix-is-refused',
    'Refuses streams with the media type application/grpc+proto.',
    (headers) => headers['content-type'] === 'application/grpc+proto',
  ),
  refuseMetadata(
    'custom-metadata-is-refused',
    'Refuses streams with custom metadata.',
    (headers) => headers['x-touchstone'] !== undefined,
  ),
  refuseMetadata('binary-metadata-is-refused', 'Refuses streams with binary metadata.', (headers) =>
    Object.keys(headers).some((name) => name.endsWith('-bin')),
  ),
  refuseMetadata(
    'timeouts-in-seconds-are-refused',
    'Refuses streams whose timeout is in seconds.',
    hasUnit('S'),
  ),
  refuseMetadata(
    'timeouts-in-hours-are-refused',
    'Refuses streams whose timeout is in hours.',
    hasUnit('H'),
  ),
  refuseMetadata(
    'timeouts-in-milliseconds-are-refused',
    'Refuses streams whose timeout is in milliseconds.',
    hasUnit('m'),
  ),
  fault(
    'seconds-are-read-as-milliseconds',
    'Resets a stream whose timeout is in seconds after a few milliseconds.',
    ['GRT-GRPC-14'],
    onStream((stream, headers, hit) => {
      if (!isGreeting(headers) || !hasUnit('S')(headers)) return
      // In a proof, the pauses of the client are short too.
      setTimeout(() => {
        if (stream.closed) return
        hit()
        stream.close(cancelled)
      }, 2)
    }),
  ),
  refuseMetadata(
    'timeouts-in-microseconds-are-refused',
    'Refuses streams whose timeout is in microseconds.',
    hasUnit('u'),
  ),
  refuseFrame(
    'messages-must-be-in-one-frame',
    'Resets a stream if the first frame ends within a message.',
    (frame) => frame.length >= prefixBytes && frame.length < prefixBytes + frame.readUInt32BE(1),
  ),
  refuseFrame(
    'prefixes-must-be-in-one-frame',
    'Resets a stream if the first frame ends within the prefix of a message.',
    (frame) => frame.length < prefixBytes,
  ),
]
