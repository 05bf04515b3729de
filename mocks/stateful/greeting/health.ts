import type { Server, ServerUnaryCall, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js'
import protobuf from 'protobufjs'
import { definitionOf } from './definition.ts'

export const healthService = 'grpc.health.v1.Health'

// The health checking protocol of gRPC.
const source = `
syntax = "proto3";
package grpc.health.v1;
message HealthCheckRequest { string service = 1; }
message HealthCheckResponse {
  enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; SERVICE_UNKNOWN = 3; }
  ServingStatus status = 1;
}
service Health {
  rpc Check(HealthCheckRequest) returns (HealthCheckResponse);
  rpc Watch(HealthCheckRequest) returns (stream HealthCheckResponse);
}
`

interface Question {
  service: string
}
interface Answer {
  status: number
}
const serving = 1
const unknown = 3

export const { root: healthRoot } = protobuf.parse(source, { keepCase: true })
healthRoot.resolveAll()

/** Adds the health service: what this server knows, it serves. */
export function addHealth(server: Server, services: readonly string[]): void {
  const knows = ({ service }: Question) => service === '' || services.includes(service)
  server.addService(definitionOf(healthRoot.lookupService(healthService)), {
    Check({ request }: ServerUnaryCall<Question, Answer>, answer: sendUnaryData<Answer>) {
      if (knows(request)) answer(null, { status: serving })
      else answer({ code: 5, details: 'there is no such service' })
    },
    // Nothing changes while the server runs, so the one answer is followed by none.
    Watch(call: ServerWritableStream<Question, Answer>) {
      call.write({ status: knows(call.request) ? serving : unknown })
    },
  })
}
