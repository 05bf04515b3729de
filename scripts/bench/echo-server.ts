import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js'
import {
  bidirectionalGreeting,
  decodeGreetingRequest,
  decodeGreetingResponse,
  encodeGreetingRequest,
  encodeGreetingResponse,
  type GreetingRequest,
  type GreetingResponse,
} from '../../generated/greeting/index.ts'

// The baseline for the cost of grpc-js: returns the name and the id of each request.
const { path, name, requestStream, responseStream } = bidirectionalGreeting
const server = new Server()
const echo = {
  path,
  requestStream,
  responseStream,
  requestSerialize: (request: GreetingRequest) => encodeGreetingRequest(request) as Buffer,
  requestDeserialize: decodeGreetingRequest,
  responseSerialize: (response: GreetingResponse) => encodeGreetingResponse(response) as Buffer,
  responseDeserialize: decodeGreetingResponse,
}
server.addService(
  { [name]: echo },
  {
    [name](stream: ServerDuplexStream<GreetingRequest, GreetingResponse>) {
      stream.on('data', ({ name: message, request_id: server_timestamp }: GreetingRequest) =>
        stream.write({ message, server_timestamp }),
      )
      stream.on('end', () => stream.end())
    },
  },
)

// The benchmark disconnects from this process when it has ended.
process.on('disconnect', () => process.exit())
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error
  process.send?.({ address: `127.0.0.1:${port}` })
})
