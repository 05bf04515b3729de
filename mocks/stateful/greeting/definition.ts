import type { ServiceDefinition } from '@grpc/grpc-js'
import type { Service } from 'protobufjs'

/** Converts a service of protobufjs to a service definition of grpc-js. */
export function definitionOf(service: Service): ServiceDefinition {
  return Object.fromEntries(
    service.methodsArray.map((method) => {
      method.resolve()
      const {
        name,
        requestStream = false,
        responseStream = false,
        resolvedRequestType: request,
        resolvedResponseType: response,
      } = method
      if (request === null || response === null) throw new Error(`${method.fullName} has no types`)
      return [
        name,
        {
          path: `/${service.fullName.slice(1)}/${name}`,
          requestStream: requestStream === true,
          responseStream: responseStream === true,
          requestSerialize: (value: object) => Buffer.from(request.encode(value).finish()),
          requestDeserialize: (bytes: Buffer) => request.decode(bytes),
          responseSerialize: (value: object) => Buffer.from(response.encode(value).finish()),
          responseDeserialize: (bytes: Buffer) => response.decode(bytes),
        },
      ]
    }),
  )
}
