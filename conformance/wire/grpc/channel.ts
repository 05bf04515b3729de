import { connect, constants, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../engine/index.ts'
import { dial, failureOf, type GrpcFailure, type GrpcFailureCode, type GrpcTls } from './dial.ts'
import { GrpcExchange } from './exchange.ts'
import type { GrpcCall } from './messages.ts'
import { GrpcStream, type CallStream, type StreamLimits } from './stream.ts'

/** What a channel has from its door. */
export interface ChannelSettings extends Pick<
  StreamLimits,
  'timeout' | 'maxMessageBytes' | 'maxBytes'
> {
  address: string
  clock: Clock
  number: () => number
  tls: GrpcTls | undefined
  metadata: Readonly<Record<string, string>>
  /** Bytes of each stream that the server may send before the client takes some; HTTP/2's own 65,535 where it is not given. */
  window?: number | undefined
  redact: (text: string) => string
}

export interface CallOptions extends GrpcCall, Partial<Pick<StreamLimits, 'timeout' | 'idle'>> {
  /** Milliseconds that are announced to the server as the call's deadline (`grpc-timeout`). None is announced by itself: who ends the call must be known. */
  deadline?: number | undefined
  /** Without the metadata that the door sends with every call. */
  isBare?: boolean | undefined
}

/** One connection, which carries any number of calls. */
export class GrpcChannel {
  private readonly session: ClientHttp2Session | undefined
  private readonly settings: ChannelSettings
  private failureReason: GrpcFailure | undefined
  private isGoingAway = false

  private constructor(
    session: ClientHttp2Session | undefined,
    settings: ChannelSettings,
    failure?: GrpcFailure,
  ) {
    this.session = session
    this.settings = settings
    this.failureReason = failure
    session?.on('error', (error) => (this.failureReason ??= failureOf(error)))
    session?.on('goaway', () => (this.isGoingAway = true))
    session?.on('close', () => (this.failureReason ??= closedFailure('the connection was closed')))
  }

  /** Connects, and waits until the other side has said that it speaks HTTP/2. Never rejects: a channel that could not be opened says why. */
  static async open(settings: ChannelSettings): Promise<GrpcChannel> {
    const { address, tls, clock, timeout, window } = settings
    let socket: Socket
    let session: ClientHttp2Session
    try {
      socket = dial(address, tls)
      session = connect(`${tls === undefined ? 'http' : 'https'}://${address}`, {
        createConnection: () => socket,
        settings: {
          enablePush: false,
          ...(window === undefined ? {} : { initialWindowSize: window }),
        },
        // Many streams with large messages at once, each within its own bound.
        maxSessionMemory: 256,
      })
    } catch (error) {
      return new GrpcChannel(undefined, settings, failureOf(error))
    }
    let stop = () => {}
    const failure = await new Promise<GrpcFailure | undefined>((resolve) => {
      // A server's settings are the first thing that it sends (RFC 9113 §3.4).
      session.once('remoteSettings', () => resolve(undefined))
      session.once('error', (error) => resolve(failureOf(error)))
      // Node's HTTP/2 misses the TLS alert of a server that wants a certificate: it comes after the handshake.
      socket.once('error', (error) => resolve(failureOf(error)))
      session.once('close', () =>
        resolve(closedFailure('the connection was closed before HTTP/2 was spoken')),
      )
      stop = clock.after(timeout, () =>
        resolve({ code: 'timeout', text: `no HTTP/2 within ${timeout / 1000} s` }),
      )
    })
    stop()
    if (failure !== undefined) {
      session.on('error', () => {})
      session.destroy()
    }
    return new GrpcChannel(failure === undefined ? session : undefined, settings, failure)
  }

  /** Why nothing can be called over it; undefined while it can. */
  get failure(): string | undefined {
    return this.reason?.text
  }

  /** The same as a code. */
  get failureCode(): GrpcFailureCode | undefined {
    return this.reason?.code
  }

  private get reason(): GrpcFailure | undefined {
    if (this.session?.destroyed === true || this.session?.closed === true)
      this.failureReason ??= closedFailure('the connection was closed')
    return (
      this.failureReason ??
      (this.isGoingAway
        ? closedFailure('the server takes no further calls on this connection')
        : undefined)
    )
  }

  /** How many streams the server allows at a time; undefined where it sets no bound. */
  get maxStreams(): number | undefined {
    const most = this.session?.remoteSettings?.maxConcurrentStreams
    return most === undefined || most >= 0xffffffff ? undefined : most
  }

  /** The protocol that was agreed on with ALPN; undefined without TLS, and where nothing was agreed on. */
  get alpn(): string | undefined {
    const agreed = (this.session?.socket as TLSSocket | undefined)?.alpnProtocol
    return typeof agreed === 'string' ? agreed : undefined
  }

  /** Begins a call. Where the channel is of no use it has failed already. Throws only for metadata that HTTP/2 cannot carry. */
  call({
    timeout = this.settings.timeout,
    idle,
    deadline,
    isBare = false,
    ...call
  }: CallOptions): GrpcStream {
    const { address, tls, clock, number, redact, maxMessageBytes, maxBytes } = this.settings
    const metadata = {
      te: 'trailers',
      'content-type': 'application/grpc',
      'user-agent': 'grpc-touchstone/1',
      'grpc-accept-encoding': 'identity, deflate, gzip',
      ...(deadline === undefined ? {} : { 'grpc-timeout': `${Math.ceil(deadline)}m` }),
      ...(isBare ? {} : this.settings.metadata),
      ...call.metadata,
    }
    const pairs = Object.entries(metadata)
    const exchange = new GrpcExchange({
      number: number(),
      call,
      address,
      secure: tls !== undefined,
      metadata: pairs,
      startedAt: clock.now(),
      isConnectionTimedOut: this.failureReason?.code === 'timeout',
      redact,
    })
    const limits = {
      timeout: deadline === undefined ? timeout : Math.min(timeout, deadline + deadlineGraceMs),
      idle,
      maxMessageBytes,
      maxBytes,
    }
    const headers = {
      ':method': 'POST',
      ':scheme': tls === undefined ? 'http' : 'https',
      ':path': call.path,
      ':authority': address,
      ...metadata,
    }
    return new GrpcStream(
      this.failure === undefined ? this.openStream(headers) : undefined,
      exchange,
      clock,
      limits,
      this.failure,
    )
  }

  private openStream(headers: OutgoingHttpHeaders): CallStream | undefined {
    const off = new AbortController()
    const { session } = this
    if (session === undefined) return undefined
    return {
      http2: session.request(headers, { endStream: false, signal: off.signal }),
      abort: () => off.abort(),
      isConnectionLost: () => session.destroyed || session.closed,
    }
  }

  /** Ends the connection, and with it whatever is under way on it. */
  readonly close = (): void => {
    this.failureReason ??= closedFailure('the channel was closed')
    this.session?.destroy(undefined, constants.NGHTTP2_NO_ERROR)
  }
}

const closedFailure = (text: string): GrpcFailure => ({ code: 'closed', text })

/** Milliseconds by which a server's own end of a call that is late goes before the client's. */
const deadlineGraceMs = 1000
