import type { ServerDuplexStream } from '@grpc/grpc-js'
import type { GreetingRequest, GreetingResponse } from '../../../generated/greeting/index.ts'

/** A response to send, or its bytes. */
export type SentGreeting = Partial<GreetingResponse> | Uint8Array

/** One stream of the method, as grpc-js passes it. */
export type Stream = ServerDuplexStream<GreetingRequest, SentGreeting>
