import type { ServerDuplexStream } from '@grpc/grpc-js'
import type { GreetingRequest, GreetingResponse } from '../../../generated/greeting/index.ts'

/** What goes out: a response, or its bytes. */
export type SentGreeting = Partial<GreetingResponse> | Uint8Array

/** One stream of the method, as grpc-js hands it over. */
export type Stream = ServerDuplexStream<GreetingRequest, SentGreeting>
