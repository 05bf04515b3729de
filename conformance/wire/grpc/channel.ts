import type { Redactor } from '../secrets.ts'
import { connect, constants, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../engine/index.ts'
import { dial, failureOf, type GrpcFailure, type GrpcFailureCode, type GrpcTls } from './dial.ts'
import { GrpcExchange } from './exchange.ts'
import type { ByteBudget } from '../byte-budget.ts'
import type { GrpcCall } from './messages.ts'
import { afterCancel } from '../wait.ts'
import { GrpcStream, type CallStream, type StreamLimits } from './stream.ts'

/** Settings that a channel gets from its client. */
export interface ChannelSettings extends Pick<
  StreamLimits,
  'timeout' | 'maxMessageBytes' | 'maxBytes'
> {
  address: string
  clock: Clock
  nextNumber: () => number
  tls: GrpcTls | undefined
  metadata: Readonly<Record<string, string>>
  /**
   * Bytes of a stream that the server may send before the client reads; 65,535 by default, as in
   * HTTP/2.
   */
  window?: number | undefined
  redact: Redactor
  /** The memory of all messages that the client keeps. */
  budget: ByteBudget
  /** Aborts when the run is cancelled. */
  signal?: AbortSignal | undefined
}

export interface CallOptions extends GrpcCall, Partial<Pick<StreamLimits, 'timeout' | 'idle'>> {
  /**
   * Milliseconds that are sent as the deadline of the call (`grpc-timeout`). By default no deadline
   * is sent: both sides may end a call at its deadline, and it would be unclear which side did.
   */
  deadline?: number | undefined
  /** Omits the metadata that the client sends with every call. */
  isBare?: boolean | undefined
}

/** One connection, for any number of calls. */
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

  /**
   * Connects, and waits until the server has sent its HTTP/2 settings. Never rejects: if that
   * fails, `failure` contains the reason.
   */
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
        // In megabytes. Many concurrent streams can have large messages; each also has its own
        // limit.
        maxSessionMemory: 256,
      })
    } catch (error) {
      return new GrpcChannel(undefined, settings, failureOf(error))
    }
    let stops: (() => void)[] = []
    const failure = await new Promise<GrpcFailure | undefined>((resolve) => {
      // The server sends its settings first (RFC 9113 §3.4).
      session.once('remoteSettings', () => resolve(undefined))
      session.once('error', (error) => resolve(failureOf(error)))
      // A server that requires a client certificate sends its TLS alert after the handshake. Node's
      // HTTP/2 does not report that alert.
      socket.once('error', (error) => resolve(failureOf(error)))
      session.once('close', () =>
        resolve(closedFailure('the connection was closed before HTTP/2 was established')),
      )
      stops = [
        clock.after(
          timeout,
          () => resolve({ code: 'timeout', text: `no HTTP/2 within ${timeout / 1000} s` }),
          'an HTTP/2 connection',
        ),
        afterCancel(clock, settings.signal, () =>
          resolve({ code: 'timeout', text: 'the run was cancelled' }),
        ),
      ]
    })
    for (const stop of stops) stop()
    if (failure !== undefined) {
      session.on('error', () => {})
      session.destroy()
    }
    return new GrpcChannel(failure === undefined ? session : undefined, settings, failure)
  }

  /** Why no call is possible; undefined if calls are possible. */
  get failure(): string | undefined {
    return this.reason?.text
  }

  get failureCode(): GrpcFailureCode | undefined {
    return this.reason?.code
  }

  private get reason(): GrpcFailure | undefined {
    if (this.session?.destroyed === true || this.session?.closed === true)
      this.failureReason ??= closedFailure('the connection was closed')
    return (
      this.failureReason ??
      (this.isGoingAway
        ? closedFailure('the server accepts no further calls on this connection')
        : undefined)
    )
  }

  /** Maximum number of concurrent streams that the server allows; undefined if it sets no limit. */
  get maxStreams(): number | undefined {
    const most = this.session?.remoteSettings?.maxConcurrentStreams
    return most === undefined || most >= 0xffffffff ? undefined : most
  }

  /** The protocol negotiated with ALPN; undefined without TLS or without an agreement. */
  get alpn(): string | undefined {
    const agreed = (this.session?.socket as TLSSocket | undefined)?.alpnProtocol
    return typeof agreed === 'string' ? agreed : undefined
  }

  /**
   * Starts a call. If no call is possible, the returned stream has already failed. Throws only for
   * metadata that HTTP/2 cannot carry.
   */
  call({
    timeout = this.settings.timeout,
    idle,
    deadline,
    isBare = false,
    ...call
  }: CallOptions): GrpcStream {
    const { address, tls, clock, nextNumber, redact, maxMessageBytes, maxBytes, budget } =
      this.settings
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
    const exchange = new GrpcExchange(
      {
        number: nextNumber(),
        call,
        address,
        secure: tls !== undefined,
        metadata: pairs,
        startedAt: clock.now(),
        isConnectionTimedOut: this.failureReason?.code === 'timeout',
        redact,
      },
      budget,
    )
    const limits = {
      signal: this.settings.signal,
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
    const cancellation = new AbortController()
    const { session } = this
    if (session === undefined) return undefined
    return {
      http2: session.request(headers, { endStream: false, signal: cancellation.signal }),
      abort: () => cancellation.abort(),
      isConnectionLost: () => session.destroyed || session.closed,
    }
  }

  /** Closes the connection and all its calls. */
  readonly close = (): void => {
    this.failureReason ??= closedFailure('the channel was closed')
    this.session?.destroy(undefined, constants.NGHTTP2_NO_ERROR)
  }
}

const closedFailure = (text: string): GrpcFailure => ({ code: 'closed', text })

/**
 * The client waits this many milliseconds after the deadline, so that the server can end the call
 * itself.
 */
const deadlineGraceMs = 1000
