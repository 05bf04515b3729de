import type { MetadataPairs } from './status.ts'

/**
 * A received message, and when it was received: milliseconds since the epoch, by the client's
 * clock.
 */
export interface GrpcMessage {
  readonly bytes: Buffer
  readonly at: number
}

/** How a stream ended. What the server did not send is missing: a status is never generated. */
export interface GrpcEnd {
  /** From the server's trailers, or from its headers if it sent nothing else. */
  readonly grpcStatus?: number
  readonly grpcMessage?: string
  readonly httpStatus?: number
  /** Code of the server's RST_STREAM, unless it is NO_ERROR. */
  readonly rstCode?: number
  /** Why it ended without the server's end of the stream. */
  readonly failure?: string
  /**
   * Why the client ended it: nothing was received for too long, it lasted too long, too many bytes
   * were received, or it was cancelled.
   */
  readonly gaveUp?: GiveUpReason
  readonly at: number
}

export type GiveUpReason = 'silence' | 'time' | 'bytes' | 'cancelled'

/** An operation, and how its messages are shown. */
export interface GrpcCall {
  /** The contract's name of the operation. */
  operation: string
  /** `/package.Service/Method` */
  path: string
  /** Added to the metadata that the client sends with every call. */
  metadata?: Readonly<Record<string, string>> | undefined
  /** Formats messages; those for which it returns undefined are shown as base64. */
  format?:
    | {
        request(bytes: Uint8Array): string | undefined
        response(bytes: Uint8Array): string | undefined
      }
    | undefined
}

/** What was sent: the bytes, and the message in them if they contain one. */
export interface GrpcSent {
  readonly frame: Uint8Array
  readonly message?: Uint8Array
}

/** What a record contains of a stream. */
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
  readonly redact: (text: string) => string
}
