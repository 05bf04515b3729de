import type { MetadataPairs } from './status.ts'

/** A message that came, and when: milliseconds since the epoch, by the door's clock. */
export interface GrpcMessage {
  readonly bytes: Buffer
  readonly at: number
}

/** How a stream ended. What the server did not say is not there: no status is ever made up. */
export interface GrpcEnd {
  /** From the server's own trailers, or from headers that are all it sent. */
  readonly grpcStatus?: number
  readonly grpcMessage?: string
  readonly httpStatus?: number
  /** Code of the RST_STREAM by which the server broke it off, where that is no NO_ERROR. */
  readonly rstCode?: number
  /** Why it ended otherwise than by the server's end of the stream. */
  readonly failure?: string
  /** What the client had enough of, where it ended it by itself: a silence, a stream that lasts, more bytes than it takes; or that it was told to cancel. */
  readonly gaveUp?: GiveUpReason
  readonly at: number
}

export type GiveUpReason = 'silence' | 'time' | 'bytes' | 'cancelled'

/** What a call is called, and how its messages can be told to people. */
export interface GrpcCall {
  /** The contract's name for what is asked. */
  operation: string
  /** `/package.Service/Method` */
  path: string
  /** Beside what the door sends with every call. */
  metadata?: Readonly<Record<string, string>> | undefined
  /** Messages as text, where they can be read; base64 where this gives undefined, or is not given. */
  format?:
    | {
        request(bytes: Uint8Array): string | undefined
        response(bytes: Uint8Array): string | undefined
      }
    | undefined
}

/** What was sent: the bytes that went out, and the message in them unless they are none. */
export interface GrpcSent {
  readonly frame: Uint8Array
  readonly message?: Uint8Array
}

/** What a record tells of a stream. */
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
