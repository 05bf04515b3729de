import { oneByOne } from './one-by-one.ts'
import type { GreetingFactor } from './variation.ts'

/** Freedoms of gRPC itself. */
export const form: readonly GreetingFactor[] = [
  {
    row: 'form',
    factor: 'headers',
    levels: [
      { name: 'with the first response', says: 'Sends headers with the first response.' },
      {
        name: 'at once',
        says: 'Sends headers as soon as a stream begins.',
        choices: { headers: 'at once' },
      },
    ],
  },
  {
    row: 'form',
    factor: 'content type',
    levels: [
      { name: 'with proto', says: 'Calls responses application/grpc+proto.' },
      {
        name: 'short',
        says: 'Calls responses application/grpc.',
        choices: { contentType: 'application/grpc' },
      },
    ],
  },
  {
    row: 'form',
    factor: 'text beside OK',
    levels: [
      { name: 'told', says: 'Sends a text beside OK.' },
      { name: 'none', says: 'Sends no text beside OK.', choices: { okMessage: false } },
    ],
  },
  {
    row: 'form',
    factor: 'frames of HTTP/2',
    levels: [
      { name: 'whole messages', says: 'Writes each message into one frame.' },
      {
        name: 'seven bytes',
        says: 'Cuts messages into pieces of seven bytes.',
        choices: { frames: 'split' },
      },
      {
        name: 'single bytes',
        alone: true,
        says: 'Writes each byte into a frame of its own.',
        choices: { frames: 'bytes' },
      },
    ],
  },
  {
    row: 'GRT-GRPC-07',
    factor: 'compressed requests',
    levels: [
      { name: 'read', says: 'Reads compressed requests.' },
      {
        name: 'refused',
        says: 'Refuses compressed requests with UNIMPLEMENTED.',
        choices: { gzipRequests: 'refuse' },
      },
    ],
  },
  {
    row: 'form',
    factor: 'compressed responses',
    levels: [
      { name: 'never', says: 'Never compresses responses.' },
      {
        name: 'where understood',
        says: 'Compresses responses where a client understands that.',
        choices: { gzipResponses: true },
      },
    ],
  },
  {
    row: 'GRT-RPC-08',
    factor: 'reflection',
    levels: [
      { name: 'both versions', says: 'Has both versions of reflection.' },
      { name: 'v1', alone: true, says: 'Has reflection v1.', choices: { reflection: 'v1' } },
      { name: 'v1alpha', says: 'Has reflection v1alpha.', choices: { reflection: 'v1alpha' } },
      { name: 'none', says: 'Has no reflection.', choices: { reflection: 'none' } },
    ],
  },
  {
    row: 'form',
    factor: 'health',
    levels: [
      { name: 'told', says: 'Tells its health.' },
      { name: 'not told', says: 'Has no service of health.', choices: { health: false } },
    ],
  },
  {
    row: 'GRT-GRPC-09',
    factor: 'streams of a connection',
    levels: [
      { name: 'any', says: 'Allows any number of streams.' },
      { name: 'a hundred', says: 'Allows a hundred streams.', choices: { maxStreams: 100 } },
    ],
  },
  {
    row: 'GRT-GRPC-11',
    factor: 'streams beside open ones',
    levels: [
      { name: 'served', says: 'Serves the streams of a connection side by side.' },
      {
        name: 'one after the other',
        says: 'Takes a stream of a connection when the one before it has ended.',
        deviation: oneByOne(),
      },
    ],
  },
]
