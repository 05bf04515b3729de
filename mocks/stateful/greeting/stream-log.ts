import { status as statuses } from '@grpc/grpc-js'
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import {
  disconnected,
  millisecondsSince,
  printable,
  type RequestListener,
} from '../../serving/log.ts'

/** Returns a function that logs a stream when it has ended. */
export function newStreamLog(
  listener: RequestListener,
): (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void {
  return (stream, headers) => {
    const [began, at] = [performance.now(), new Date().toISOString()]
    stream.once('close', () => {
      // A response without messages has its status in the headers.
      const ending = [stream.sentTrailers, stream.sentHeaders].find(
        (sent) => sent?.['grpc-status'] !== undefined,
      )
      const httpStatus = Number(stream.sentHeaders?.[':status'] ?? Number.NaN) || null
      // A client that has received enough need not wait for the end of the response.
      const hasBegun = httpStatus !== null
      const code =
        ending !== undefined
          ? Number(ending['grpc-status'])
          : hasBegun
            ? statuses.CANCELLED
            : undefined
      const reason = ending !== undefined ? messageOf(ending) : hasBegun ? '' : disconnected
      listener({
        at,
        server: 'greeting',
        method: String(headers[':method']),
        path: printable(String(headers[':path']).split('?', 1)[0]!),
        status: httpStatus,
        ...(code === undefined ? {} : { grpc: statuses[code] ?? String(code) }),
        ms: millisecondsSince(began),
        ...(code === statuses.OK || reason === '' ? {} : { reason: printable(reason) }),
      })
    })
  }
}

function messageOf({ 'grpc-message': message = '' }: OutgoingHttpHeaders): string {
  try {
    return decodeURIComponent(String(message))
  } catch {
    return String(message)
  }
}
