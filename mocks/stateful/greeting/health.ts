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

interface HealthRequest {
  service: string
}
interface HealthResponse {
  status: number
}
const serving = 1
const serviceUnknown = 3

export const { root: healthRoot } = protobuf.parse(source, { keepCase: true })
healthRoot.resolveAll()

/** Adds the health service: every known service is serving. */
export function addHealth(server: Server, services: readonly string[]): void {
  const isKnown = ({ service }: HealthRequest) => service === '' || services.includes(service)
  server.addService(definitionOf(healthRoot.lookupService(healthService)), {
    Check(
      { request }: ServerUnaryCall<HealthRequest, HealthResponse>,
      respond: sendUnaryData<HealthResponse>,
    ) {
      if (isKnown(request)) respond(null, { status: serving })
      else respond({ code: 5, details: 'unknown service' })
    },
    // The status never changes, so only one response is sent.
    Watch(call: ServerWritableStream<HealthRequest, HealthResponse>) {
      call.write({ status: isKnown(call.request) ? serving : serviceUnknown })
    },
  })
}
