import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import type { Clock } from '../../engine/index.ts'
import type { GrpcExchange } from './exchange.ts'
import type { GrpcMessage } from './messages.ts'
import { Deframer } from './frames.ts'
import { pairsOf } from './status.ts'

export interface StreamReceiverOptions {
  clock: Clock
  maxMessageBytes: number
  /** Called when something was received. */
  onActivity: () => void
  /** Called with each message. */
  onMessage: (message: GrpcMessage) => void
}

/** Records headers, messages and trailers of a stream in its exchange. */
export class StreamReceiver {
  private readonly exchange: GrpcExchange
  private readonly options: StreamReceiverOptions
  private readonly deframer: Deframer

  constructor(http2: ClientHttp2Stream, exchange: GrpcExchange, options: StreamReceiverOptions) {
    this.exchange = exchange
    this.options = options
    this.deframer = new Deframer(options.maxMessageBytes)
    http2.on('response', (headers, flags) => {
      options.onActivity()
      exchange.httpStatus = headers[':status']
      exchange.headers = pairsOf(headers)
      // A response may consist of headers only, which are then its trailers too.
      if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) exchange.trailers = exchange.headers
    })
    http2.on('trailers', (trailers: IncomingHttpHeaders) => (exchange.trailers = pairsOf(trailers)))
    http2.on('data', (piece: Buffer) => this.receiveData(piece))
  }

  /** Called when the server has ended the stream; reports an incomplete message. */
  end(): void {
    if (this.deframer.rest > 0)
      this.exchange.problems.push(
        `the stream ended in the middle of a message, ${this.deframer.rest} bytes into it`,
      )
  }

  private receiveData(piece: Buffer): void {
    const { exchange, options } = this
    options.onActivity()
    for (const unframed of this.deframer.push(piece, exchange.header('grpc-encoding'))) {
      if ('problem' in unframed) exchange.problems.push(unframed.problem)
      else {
        if (unframed.isCompressed) exchange.compressedCount += 1
        const message = { bytes: unframed.bytes, at: options.clock.now() }
        exchange.addReceived(message)
        options.onMessage(message)
      }
    }
  }
}
