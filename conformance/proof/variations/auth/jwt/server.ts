import type { AuthFactor } from '../variation.ts'

/** How a server of pattern 2 is reached, and what is told of it. */
export const server: readonly AuthFactor[] = [
  {
    requirement: 'form',
    name: 'transport',
    levels: [
      { name: 'streamable HTTP', description: 'Serves over streamable HTTP.' },
      {
        name: 'server-sent events',
        description: 'Serves over server-sent events.',
        choices: { hosting: { transports: ['sse'] } },
      },
      {
        name: 'both',
        description: 'Serves over streamable HTTP and server-sent events.',
        choices: { hosting: { transports: ['http', 'sse'] } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'framing',
    levels: [
      { name: 'events', description: 'Answers with streams of events.' },
      { name: 'json', description: 'Answers with JSON.', choices: { server: { framing: 'json' } } },
    ],
  },
  {
    requirement: 'form',
    name: 'sessions',
    levels: [
      { name: 'kept', description: 'Keeps sessions.' },
      { name: 'none', description: 'Keeps no sessions.', choices: { server: { sessions: false } } },
    ],
  },
  {
    requirement: 'form',
    name: 'owners of sessions',
    levels: [
      { name: 'their users', description: 'Keeps sessions for the user who opened them.' },
      {
        name: 'everybody',
        description: 'Keeps sessions for everybody with a good token.',
        choices: { server: { sessionsFor: 'everyone' } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'end of sessions',
    levels: [
      { name: 'taken', description: 'Lets clients end sessions.' },
      {
        name: 'refused',
        description: 'Refuses DELETE with 405.',
        choices: { server: { deletes: false } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'what is told',
    levels: [
      { name: 'the secret', description: 'Tells the secret.' },
      {
        name: 'a token',
        description: 'Tells a token, and no secret.',
        choices: { hosting: { omittedKeys: ['secret'] } },
      },
      {
        name: 'a token alone',
        notCombined: true,
        description: 'Tells a token, and neither secret nor issuer nor audience.',
        choices: { hosting: { omittedKeys: ['secret', 'issuer', 'audience', 'claims'] } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'secret',
    levels: [
      { name: 'of letters', description: 'Has a secret of letters and hyphens.' },
      {
        name: 'beyond ASCII',
        description: 'Has a secret with characters beyond ASCII.',
        choices: { hosting: { secret: 'clé secrète du rayon de livres, assez longue' } },
      },
      {
        name: 'of 32 bytes',
        notCombined: true,
        description: 'Has a secret of exactly 256 bits.',
        choices: { hosting: { secret: 'x7Jq0ZpV3mWc9RtB1nYs5LkD8fHg2EaU' } },
      },
    ],
  },
]
