import type { AuthFactor } from '../variation.ts'

/** How a server of pattern 2 is reached, and what is told of it. */
export const server: readonly AuthFactor[] = [
  {
    row: 'form',
    factor: 'transport',
    levels: [
      { name: 'streamable HTTP', says: 'Serves over streamable HTTP.' },
      {
        name: 'server-sent events',
        says: 'Serves over server-sent events.',
        choices: { hosting: { transports: ['sse'] } },
      },
      {
        name: 'both',
        says: 'Serves over streamable HTTP and server-sent events.',
        choices: { hosting: { transports: ['http', 'sse'] } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'framing',
    levels: [
      { name: 'events', says: 'Answers with streams of events.' },
      { name: 'json', says: 'Answers with JSON.', choices: { server: { framing: 'json' } } },
    ],
  },
  {
    row: 'form',
    factor: 'sessions',
    levels: [
      { name: 'kept', says: 'Keeps sessions.' },
      { name: 'none', says: 'Keeps no sessions.', choices: { server: { sessions: false } } },
    ],
  },
  {
    row: 'form',
    factor: 'owners of sessions',
    levels: [
      { name: 'their users', says: 'Keeps sessions for the user who opened them.' },
      {
        name: 'everybody',
        says: 'Keeps sessions for everybody with a good token.',
        choices: { server: { sessionsFor: 'everyone' } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'end of sessions',
    levels: [
      { name: 'taken', says: 'Lets clients end sessions.' },
      {
        name: 'refused',
        says: 'Refuses DELETE with 405.',
        choices: { server: { deletes: false } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'what is told',
    levels: [
      { name: 'the secret', says: 'Tells the secret.' },
      {
        name: 'a token',
        says: 'Tells a token, and no secret.',
        choices: { hosting: { untold: ['secret'] } },
      },
      {
        name: 'a token alone',
        alone: true,
        says: 'Tells a token, and neither secret nor issuer nor audience.',
        choices: { hosting: { untold: ['secret', 'issuer', 'audience', 'claims'] } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'secret',
    levels: [
      { name: 'of letters', says: 'Has a secret of letters and hyphens.' },
      {
        name: 'beyond ASCII',
        says: 'Has a secret with characters beyond ASCII.',
        choices: { hosting: { secret: 'clé secrète du rayon de livres, assez longue' } },
      },
      {
        name: 'of 32 bytes',
        alone: true,
        says: 'Has a secret of exactly 256 bits.',
        choices: { hosting: { secret: 'x7Jq0ZpV3mWc9RtB1nYs5LkD8fHg2EaU' } },
      },
    ],
  },
]
