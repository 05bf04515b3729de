import { processClock, type Clock } from '../engine/index.ts'
import { ByteBudget } from './byte-budget.ts'
import { GrpcChannel, type ChannelSettings } from './grpc/channel.ts'
import type { GrpcTls } from './grpc/dial.ts'
import { newRedactor, type Secrets } from './secrets.ts'

export interface GrpcClientOptions {
  /** host:port, with an IPv6 address in brackets. */
  address: string
  /** Plaintext (HTTP/2 with prior knowledge) by default. */
  tls?: GrpcTls | undefined
  /** Sent with every call. The values of names that end in -bin are base64. */
  metadata?: Readonly<Record<string, string>> | undefined
  clock?: Clock | undefined
  /** Milliseconds for opening a channel, and for a call without its own timeout. */
  timeout?: number | undefined
  /**
   * Largest message that is read, in bytes; 8 MiB by default. A greeting may contain the longest
   * name that the suite sends, which has 5 MiB.
   */
  maxMessageBytes?: number | undefined
  /** Largest total size of the messages of one call, in bytes. */
  maxBytes?: number | undefined
  secrets?: Secrets | undefined
  /** Returns the number of the next call; the client counts by default. */
  nextNumber?: (() => number) | undefined
  /** Aborts when the run is cancelled: the client then soon gives up its calls. */
  signal?: AbortSignal | undefined
}

/** The memory of all messages that a client keeps, in bytes. */
const maxKept = 64 * 1024 * 1024

/**
 * A client of a gRPC server. It sends, receives and records; it never judges, and never throws
 * because of what a target does. It implements the protocol on Node's HTTP/2. A client library
 * would report statuses that no server sent, and hide statuses in the wrong place.
 */
export class GrpcClient {
  private readonly settings: ChannelSettings
  private readonly channels = new Set<GrpcChannel>()

  private constructor(settings: ChannelSettings) {
    this.settings = settings
  }

  static open(options: GrpcClientOptions): GrpcClient {
    let count = 0
    const {
      address,
      tls,
      metadata = {},
      clock = processClock,
      timeout = 10_000,
      secrets = {},
      nextNumber = () => (count += 1),
    } = options
    const { maxMessageBytes = 8 * 1024 * 1024, maxBytes = 32 * 1024 * 1024 } = options
    return new GrpcClient({
      address,
      tls,
      metadata,
      clock,
      timeout,
      redact: newRedactor(secrets),
      nextNumber,
      maxMessageBytes,
      maxBytes,
      budget: new ByteBudget(maxKept),
      signal: options.signal,
    })
  }

  /**
   * Opens a new connection; with `tls: null`, in plaintext. `window` is the flow control window of
   * a stream in bytes. If it is small, a server soon has to wait for a client that does not read.
   */
  async openChannel({
    tls = this.settings.tls,
    window,
  }: { tls?: GrpcTls | undefined | null; window?: number | undefined } = {}): Promise<GrpcChannel> {
    const channel = await GrpcChannel.open({ ...this.settings, tls: tls ?? undefined, window })
    this.channels.add(channel)
    return channel
  }

  /** Closes all connections. */
  close(): void {
    for (const channel of this.channels) channel.close()
    this.channels.clear()
  }
}

export type { GrpcChannel, CallOptions as GrpcCallOptions } from './grpc/channel.ts'
export type { GrpcTls } from './grpc/dial.ts'
export { GrpcExchange } from './grpc/exchange.ts'
export type { GrpcEnd, GrpcMessage } from './grpc/messages.ts'
export type { DescribedMessage, DescribedMethod } from './grpc/descriptors.ts'
export * from './grpc/fields.ts'
export { frameOf } from './grpc/frames.ts'
export { reflect, type Reflection } from './grpc/reflection.ts'
export { statusName, statusOf } from './grpc/status.ts'
export type { GrpcStream } from './grpc/stream.ts'
