import type { ReplyForm } from '../../../mocks/stateful/http/reply.ts'
import type { Factor, FactorLevel } from './variation.ts'

// Freedoms of form that every server of answers has.

type OfForm = { choices?: Partial<ReplyForm> }

/** How an answer is written, whatever it says. */
export const framing: readonly Factor<OfForm>[] = [
  {
    row: 'form',
    factor: 'case of headers',
    levels: [
      { name: 'canonical', says: 'Writes headers as documents do.' },
      { name: 'lower', says: 'Writes headers in small letters.', choices: { headerCase: 'lower' } },
      { name: 'upper', says: 'Writes headers in capitals.', choices: { headerCase: 'upper' } },
    ],
  },
  {
    row: 'form',
    factor: 'framing of bodies',
    levels: [
      { name: 'a length', says: 'Says how long a body is.' },
      { name: 'chunks', says: 'Sends bodies in chunks.', choices: { chunked: true } },
    ],
  },
  {
    row: 'form',
    factor: 'connections',
    levels: [
      { name: 'kept', says: 'Keeps connections.' },
      {
        name: 'closed',
        says: 'Closes the connection after each answer.',
        choices: { keepAlive: false },
      },
    ],
  },
]

/** With or without white space. */
export const spacing: readonly FactorLevel<OfForm>[] = [
  { name: 'compact', says: 'Writes compact JSON.' },
  { name: 'pretty', says: 'Writes JSON for people.', choices: { prettyJson: true } },
]
