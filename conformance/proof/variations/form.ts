import type { ReplyForm } from '../../../mocks/stateful/http/reply.ts'
import type { Factor, FactorValue } from './variation.ts'

// Factors about the form of responses, for all HTTP servers.

type FormDeviation = { choices?: Partial<ReplyForm> }

/** How a response is written, independent of its content. */
export const framing: readonly Factor<FormDeviation>[] = [
  {
    requirement: 'none',
    name: 'case of headers',
    values: [
      { name: 'canonical', description: 'Writes names of headers in their usual form.' },
      {
        name: 'lower',
        description: 'Writes names of headers in lower case.',
        choices: { headerCase: 'lower' },
      },
      {
        name: 'upper',
        description: 'Writes names of headers in upper case.',
        choices: { headerCase: 'upper' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'framing of bodies',
    values: [
      { name: 'a length', description: 'Sends bodies with Content-Length.' },
      { name: 'chunks', description: 'Sends chunked bodies.', choices: { chunked: true } },
    ],
  },
  {
    requirement: 'none',
    name: 'connections',
    values: [
      { name: 'kept', description: 'Keeps connections open.' },
      {
        name: 'closed',
        description: 'Closes the connection after each response.',
        choices: { keepAlive: false },
      },
    ],
  },
]

/** JSON with and without whitespace. */
export const spacing: readonly FactorValue<FormDeviation>[] = [
  { name: 'compact', description: 'Writes compact JSON.' },
  { name: 'pretty', description: 'Writes indented JSON.', choices: { prettyJson: true } },
]
