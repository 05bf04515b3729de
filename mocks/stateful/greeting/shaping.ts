import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { gzipSync } from 'node:zlib'
import type { GreetingChoices } from './choices.ts'
import type { StreamMiddleware } from './call.ts'

type Shape = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void

/** A door that gives what grpc-js writes the chosen form, where that is another than its own. */
export function shaped(choices: GreetingChoices, then: StreamMiddleware): StreamMiddleware {
  const { gzipRequests, gzipResponses, contentType, okMessage, frames } = choices
  const shapes: Shape[] = [
    // Whatever is done first stands nearest to the wire.
    ...(frames === 'whole' ? [] : [cut(frames === 'bytes' ? 1 : 7)]),
    ...(contentType === 'application/grpc+proto'
      ? []
      : [onHeaders((sent) => ({ ...sent, 'content-type': contentType }))]),
    ...(okMessage ? [] : [withoutOkMessage]),
    ...(gzipResponses ? [compressed] : []),
    ...(gzipRequests === 'accept'
      ? []
      : [onHeaders((sent) => ({ ...sent, 'grpc-accept-encoding': 'identity' }))]),
  ]
  const refuses = gzipRequests === 'refuse'
  return (stream, headers, next) => {
    for (const shape of shapes) shape(stream, headers)
    const { 'grpc-encoding': encoding = 'identity' } = headers
    if (refuses && encoding !== 'identity') refuse(stream)
    else then(stream, headers, next)
  }
}

function refuse(stream: ServerHttp2Stream): void {
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc+proto',
      'grpc-status': 12,
      'grpc-message': 'compressed requests are not supported',
    },
    { endStream: true },
  )
  stream.resume()
}

function onHeaders(changed: (sent: OutgoingHttpHeaders) => OutgoingHttpHeaders): Shape {
  return (stream) => {
    const respond = stream.respond.bind(stream)
    stream.respond = (sent = {}, options) => respond(changed(sent), options)
  }
}

const withoutOkMessage: Shape = (stream) => {
  const sendTrailers = stream.sendTrailers.bind(stream)
  stream.sendTrailers = (trailers) => {
    const { 'grpc-message': _message, ...others } = trailers
    sendTrailers(Number(trailers['grpc-status']) === 0 ? others : trailers)
  }
}

type Written = (error?: Error | null) => void

/** Lets something be done to each message on its way out. grpc-js writes whole messages, each with a callback. */
function onMessages(
  stream: ServerHttp2Stream,
  write: (
    message: Buffer,
    out: (bytes: Buffer, written?: Written) => boolean,
    written: Written,
  ) => boolean,
): void {
  const out = stream.write.bind(stream) as (bytes: Buffer, written?: Written) => boolean
  stream.write = ((message: Buffer, written: Written) =>
    write(message, out, written)) as typeof stream.write
}

const cut =
  (size: number): Shape =>
  (stream) => {
    // An end that comes in the middle of a message, as after a request that cannot be read, waits for its last piece.
    let last: (() => void) | undefined
    let isCut = false
    const end = stream.end.bind(stream) as (...given: unknown[]) => typeof stream
    stream.end = ((...given: unknown[]) => {
      if (!isCut) return end(...given)
      last = () => void end(...given)
      return stream
    }) as typeof stream.end
    onMessages(stream, (message, out, written) => {
      // Large messages in small frames would only take time.
      const step = Math.max(size, Math.ceil(message.length / 100))
      // What is written before the last piece has left would travel in one frame with it.
      const from = (at: number): boolean => {
        if (at + step < message.length)
          return out(message.subarray(at, at + step), (error) =>
            error ? written(error) : from(at + step),
          )
        isCut = false
        const hasRoom = out(message.subarray(at), written)
        last?.()
        return hasRoom
      }
      isCut = true
      return from(0)
    })
  }

const compressed: Shape = (stream, { 'grpc-accept-encoding': accepted = '' }) => {
  if (!/\bgzip\b/.test(String(accepted))) return
  onHeaders((sent) => ('grpc-status' in sent ? sent : { ...sent, 'grpc-encoding': 'gzip' }))(
    stream,
    {},
  )
  onMessages(stream, (message, out, written) => {
    const body = gzipSync(message.subarray(5))
    const head = Buffer.alloc(5, 1)
    head.writeUInt32BE(body.length, 1)
    return out(Buffer.concat([head, body]), written)
  })
}
