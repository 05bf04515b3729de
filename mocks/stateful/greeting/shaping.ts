import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { gzipSync } from 'node:zlib'
import type { GreetingChoices } from './choices.ts'
import type { StreamMiddleware } from './call.ts'

type StreamChange = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void

/**
 * Makes middleware that applies choices to what grpc-js writes: frames, content type, compression
 * and the message of status OK.
 */
export function newShapingMiddleware(
  choices: GreetingChoices,
  inner: StreamMiddleware,
): StreamMiddleware {
  const { gzipRequests, gzipResponses, contentType, okMessage, frames } = choices
  const shapes: StreamChange[] = [
    // The first change is closest to the wire.
    ...(frames === 'whole' ? [] : [cutIntoFrames(frames === 'bytes' ? 1 : 7)]),
    ...(contentType === 'application/grpc+proto'
      ? []
      : [changeHeaders((sent) => ({ ...sent, 'content-type': contentType }))]),
    ...(okMessage ? [] : [withoutOkMessage]),
    ...(gzipResponses ? [compressResponses] : []),
    ...(gzipRequests === 'accept'
      ? []
      : [changeHeaders((sent) => ({ ...sent, 'grpc-accept-encoding': 'identity' }))]),
  ]
  const refuses = gzipRequests === 'refuse'
  return (stream, headers, next) => {
    for (const shape of shapes) shape(stream, headers)
    const { 'grpc-encoding': encoding = 'identity' } = headers
    if (refuses && encoding !== 'identity') refuseCompression(stream)
    else inner(stream, headers, next)
  }
}

function refuseCompression(stream: ServerHttp2Stream): void {
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

function changeHeaders(change: (sent: OutgoingHttpHeaders) => OutgoingHttpHeaders): StreamChange {
  return (stream) => {
    const respond = stream.respond.bind(stream)
    stream.respond = (sent = {}, options) => respond(change(sent), options)
  }
}

const withoutOkMessage: StreamChange = (stream) => {
  const sendTrailers = stream.sendTrailers.bind(stream)
  stream.sendTrailers = (trailers) => {
    const { 'grpc-message': _message, ...others } = trailers
    sendTrailers(Number(trailers['grpc-status']) === 0 ? others : trailers)
  }
}

type WriteCallback = (error?: Error | null) => void

/** The maximum number of messages of a stream that are changed. More would only cost time. */
const maxChangedMessages = 200

/** Changes how messages are written. grpc-js writes whole messages, each with a callback. */
function changeMessages(
  stream: ServerHttp2Stream,
  write: (
    message: Buffer,
    out: (bytes: Buffer, written?: WriteCallback) => boolean,
    written: WriteCallback,
  ) => boolean,
): void {
  const out = stream.write.bind(stream) as (bytes: Buffer, written?: WriteCallback) => boolean
  let count = 0
  stream.write = ((message: Buffer, written: WriteCallback) =>
    (count += 1) > maxChangedMessages
      ? out(message, written)
      : write(message, out, written)) as typeof stream.write
}

const cutIntoFrames =
  (size: number): StreamChange =>
  (stream) => {
    // The stream can end while a message is being written, for example after an undecodable
    // request. In this case the end waits for the last frame.
    let endLater: (() => void) | undefined
    let isCut = false
    const end = stream.end.bind(stream) as (...args: unknown[]) => typeof stream
    stream.end = ((...args: unknown[]) => {
      if (!isCut) return end(...args)
      endLater = () => void end(...args)
      return stream
    }) as typeof stream.end
    changeMessages(stream, (message, out, written) => {
      // Very small frames of a large message would only cost time.
      const step = Math.max(size, Math.ceil(message.length / 100))
      // Each frame is written only after the previous frame was sent. Otherwise both would be sent
      // as one frame.
      const writeFrom = (offset: number): boolean => {
        if (offset + step < message.length)
          return out(message.subarray(offset, offset + step), (error) =>
            error ? written(error) : writeFrom(offset + step),
          )
        isCut = false
        const hasRoom = out(message.subarray(offset), written)
        endLater?.()
        return hasRoom
      }
      isCut = true
      return writeFrom(0)
    })
  }

const compressResponses: StreamChange = (stream, { 'grpc-accept-encoding': accepted = '' }) => {
  if (!/\bgzip\b/.test(String(accepted))) return
  changeHeaders((sent) => ('grpc-status' in sent ? sent : { ...sent, 'grpc-encoding': 'gzip' }))(
    stream,
    {},
  )
  changeMessages(stream, (message, out, written) => {
    const body = gzipSync(message.subarray(5))
    const head = Buffer.alloc(5, 1)
    head.writeUInt32BE(body.length, 1)
    return out(Buffer.concat([head, body]), written)
  })
}
