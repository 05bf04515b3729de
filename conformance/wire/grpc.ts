import { wallClock, type Clock } from '../engine/index.ts'
import { GrpcChannel, type ChannelSettings } from './grpc/channel.ts'
import type { GrpcTls } from './grpc/dial.ts'
import { newRedactor, type Secrets } from './secrets.ts'

export interface GrpcClientOptions {
  /** host:port; an IPv6 address in brackets. */
  address: string
  /** How connections are secured; plaintext (HTTP/2 with prior knowledge) where it is not given. */
  tls?: GrpcTls | undefined
  /** Sent with every call. Values of names that end in -bin are base64. */
  metadata?: Readonly<Record<string, string>> | undefined
  clock?: Clock | undefined
  /** Milliseconds for opening a channel, and for a call that says nothing else. */
  timeout?: number | undefined
  /** Bytes of one message that are read at most. */
  maxMessageBytes?: number | undefined
  /** Bytes of all messages of one call that are read at most. */
  maxBytes?: number | undefined
  secrets?: Secrets | undefined
  /** Gives each call its number; its own count where it is not given. */
  number?: (() => number) | undefined
}

/**
 * The door to a server that speaks gRPC. It speaks the protocol by itself, on bare HTTP/2: a client library would make up statuses that no server sent,
 * and would hide the ones that came in the wrong place. It sends, receives and records; it judges nothing, and never throws for what a target does.
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
      clock = wallClock,
      timeout = 10_000,
      secrets = {},
      number = () => (count += 1),
    } = options
    const { maxMessageBytes = 16 * 1024 * 1024, maxBytes = 64 * 1024 * 1024 } = options
    return new GrpcClient({
      address,
      tls,
      metadata,
      clock,
      timeout,
      redact: newRedactor(secrets),
      number,
      maxMessageBytes,
      maxBytes,
    })
  }

  /** A connection of its own; secured as the door is, or as is said here: null is plaintext. With a small `window` a server soon feels that nobody reads. */
  async openChannel({
    tls = this.settings.tls,
    window,
  }: { tls?: GrpcTls | undefined | null; window?: number | undefined } = {}): Promise<GrpcChannel> {
    const channel = await GrpcChannel.open({ ...this.settings, tls: tls ?? undefined, window })
    this.channels.add(channel)
    return channel
  }

  /** Ends all its connections. */
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
