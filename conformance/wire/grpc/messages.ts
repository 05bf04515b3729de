import type { Redactor } from '../secrets.ts'
import type { MetadataPairs } from './status.ts'

/**
 * A received message, and when it was received: `at` is in milliseconds since the epoch, by the
 * client's clock.
 */
export interface GrpcMessage {
  readonly bytes: Buffer
  readonly at: number
}

/** How a stream ended. A status is present only if the server sent it. */
export interface GrpcEnd {
  /** `grpc-status` of the server's trailers, or of its headers if it sent nothing else. */
  readonly grpcStatus?: number
  readonly grpcMessage?: string
  readonly httpStatus?: number
  /** Code of the server's RST_STREAM, unless it is NO_ERROR. */
  readonly rstCode?: number
  /** Why the stream ended, if the server did not end it. */
  readonly failure?: string
  /**
   * Why the client ended the stream:
   * - `silence`: nothing happened for too long; or the stream lasted too long, and the call has no
   *   separate idle timeout.
   * - `time`: the stream was active, but lasted too long.
   * - `bytes`: too many bytes were received.
   * - `flood`: far more messages were received than sent.
   * - `cancelled`: the caller cancelled the call.
   */
  readonly gaveUp?: GiveUpReason
  readonly at: number
}

export type GiveUpReason = 'silence' | 'time' | 'bytes' | 'flood' | 'cancelled'

/** An operation, and how reports show its messages. */
export interface GrpcCall {
  /** The contract's name of the operation. */
  operation: string
  /** `/package.Service/Method` */
  path: string
  /** Added to the metadata that the client sends with every call. */
  metadata?: Readonly<Record<string, string>> | undefined
  /** Formats messages. Messages for which it returns undefined are shown as base64. */
  format?:
    | {
        request(bytes: Uint8Array): string | undefined
        response(bytes: Uint8Array): string | undefined
      }
    | undefined
}

/**
 * The bytes that were sent, and the message in them if they are one frame. `at` is the time at
 * which the client began to send, by its own clock.
 */
export interface GrpcSent {
  readonly at: number
  readonly frame: Uint8Array
  readonly message?: Uint8Array
}

/** The parts of a stream from which its record is created. */
export interface RecordedStream {
  readonly number: number
  readonly operation: string
  readonly call: GrpcCall
  readonly address: string
  readonly secure: boolean
  readonly url: string
  readonly metadata: MetadataPairs
  readonly sent: readonly GrpcSent[]
  readonly sentCount: number
  readonly received: readonly GrpcMessage[]
  readonly receivedCount: number
  readonly problems: readonly string[]
  readonly httpStatus: number | undefined
  readonly headers: MetadataPairs
  readonly trailers: MetadataPairs
  readonly end: GrpcEnd | undefined
  readonly milliseconds: number
  readonly redact: Redactor
}
