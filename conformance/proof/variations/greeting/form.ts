import type { StreamMiddleware } from '../../../../mocks/stateful/greeting.ts'
import { inSequence } from './in-sequence.ts'
import type { GreetingFactor } from './variation.ts'

/** The services that the mock can have, with their methods. */
const knownPath =
  /\.(GreetingService|Greeter|greeting_v1|ServerReflection|Health)\/(BidirectionalGreeting|ServerReflectionInfo|Check|Watch)$/

/** Returns HTTP status 404 for unknown paths, as HTTP routers do. */
const notFound: StreamMiddleware = (stream, headers, next) => {
  if (knownPath.test(String(headers[':path']))) return next()
  stream.respond({ ':status': 404, 'content-type': 'text/plain' }, { endStream: true })
  stream.resume()
}

/** Choices that gRPC itself leaves. */
export const form: readonly GreetingFactor[] = [
  {
    requirement: 'none',
    name: 'time of the response headers',
    values: [
      { name: 'with the first response', description: 'Sends headers with the first response.' },
      {
        name: 'at once',
        description: 'Sends headers as soon as a stream begins.',
        choices: { headers: 'at once' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'content type',
    values: [
      {
        name: 'application/grpc+proto',
        description: 'Uses the content type application/grpc+proto.',
      },
      {
        name: 'application/grpc',
        description: 'Uses the content type application/grpc.',
        choices: { contentType: 'application/grpc' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'message of OK',
    values: [
      { name: 'sent', description: 'Sends a grpc-message with OK.' },
      {
        name: 'none',
        description: 'Sends no grpc-message with OK.',
        choices: { okMessage: false },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'frames of HTTP/2',
    values: [
      { name: 'whole messages', description: 'Writes each message into one frame.' },
      {
        name: 'seven bytes',
        description: 'Splits the first messages of a stream into frames of seven bytes.',
        choices: { frames: 'split' },
      },
      {
        name: 'single bytes',
        notCombined: true,
        description: 'Writes each byte of the first messages of a stream into its own frame.',
        choices: { frames: 'bytes' },
      },
    ],
  },
  {
    requirement: 'GRT-GRPC-07',
    name: 'compressed requests',
    values: [
      { name: 'read', description: 'Accepts compressed requests.' },
      {
        name: 'refused',
        description: 'Refuses compressed requests with UNIMPLEMENTED.',
        choices: { gzipRequests: 'refuse' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'compressed responses',
    values: [
      { name: 'never', description: 'Never compresses responses.' },
      {
        name: 'if accepted',
        description: 'Compresses the first responses of a stream if the client accepts that.',
        choices: { gzipResponses: true },
      },
    ],
  },
  {
    requirement: 'GRT-GRPC-04',
    name: 'unknown paths',
    values: [
      { name: 'UNIMPLEMENTED', description: 'Returns UNIMPLEMENTED for an unknown path.' },
      {
        name: 'HTTP status 404',
        description: 'Returns HTTP status 404 without a gRPC status for an unknown path.',
        deviation: { intercept: notFound },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-08',
    name: 'reflection',
    values: [
      { name: 'both versions', description: 'Has both versions of reflection.' },
      {
        name: 'v1',
        notCombined: true,
        description: 'Has reflection v1.',
        choices: { reflection: 'v1' },
      },
      {
        name: 'v1alpha',
        description: 'Has reflection v1alpha.',
        choices: { reflection: 'v1alpha' },
      },
      { name: 'none', description: 'Has no reflection.', choices: { reflection: 'none' } },
    ],
  },
  {
    requirement: 'none',
    name: 'health',
    values: [
      { name: 'served', description: 'Has the health service.' },
      { name: 'none', description: 'Has no health service.', choices: { health: false } },
    ],
  },
  {
    requirement: 'GRT-GRPC-09',
    name: 'concurrent streams of a connection',
    values: [
      { name: 'any', description: 'Allows any number of concurrent streams on a connection.' },
      {
        name: 'a hundred',
        description: 'Allows at most a hundred concurrent streams on a connection.',
        choices: { maxStreams: 100 },
      },
    ],
  },
  {
    requirement: 'GRT-GRPC-11',
    name: 'end of the half-closed stream',
    values: [
      { name: 'at once', description: 'Serves the streams of a connection concurrently.' },
      {
        name: 'after the older streams',
        description: 'Serves a stream of a connection only when the previous stream has ended.',
        deviation: inSequence(),
      },
    ],
  },
]
