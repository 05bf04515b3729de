import type { AuthFactor } from '../variation.ts'

/** Choices about transports and sessions of a server with JWT, and about its target file. */
export const server: readonly AuthFactor[] = [
  {
    requirement: 'none',
    name: 'transport',
    values: [
      { name: 'streamable HTTP', description: 'Serves Streamable HTTP.' },
      {
        name: 'server-sent events',
        description: 'Serves HTTP+SSE.',
        choices: { hosting: { transports: ['sse'] } },
      },
      {
        name: 'both',
        description: 'Serves Streamable HTTP and HTTP+SSE.',
        choices: { hosting: { transports: ['http', 'sse'] } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'format of responses',
    values: [
      { name: 'event streams', description: 'Responds with streams of events.' },
      {
        name: 'JSON',
        description: 'Responds with JSON.',
        choices: { server: { framing: 'json' } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'sessions',
    values: [
      { name: 'kept', description: 'Has sessions.' },
      { name: 'none', description: 'Has no sessions.', choices: { server: { sessions: false } } },
    ],
  },
  {
    requirement: 'none',
    name: 'users who may use a session',
    values: [
      {
        name: 'only the user who opened it',
        description: 'Restricts sessions to the user who opened them.',
      },
      {
        name: 'every user with a valid token',
        description: 'Lets every user with a valid token use any session.',
        choices: { server: { sessionsFor: 'everyone' } },
        unmet: ['AUTH-JWT-34'],
      },
    ],
  },
  {
    requirement: 'none',
    name: 'DELETE requests for a session',
    values: [
      { name: 'accepted', description: 'Accepts DELETE.' },
      {
        name: 'refused',
        description: 'Refuses DELETE with 405.',
        choices: { server: { deleteSessions: false } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'credentials in the target file',
    values: [
      { name: 'the secret', description: 'Declares the secret in its target file.' },
      {
        name: 'a token',
        description: 'Declares a token in its target file, and no secret.',
        choices: { hosting: { omittedKeys: ['secret'] } },
      },
      {
        name: 'a token, without issuer and audience',
        notCombined: true,
        description:
          'Declares only a token in its target file, without secret, issuer and audience.',
        choices: { hosting: { omittedKeys: ['secret', 'issuer', 'audience', 'claims'] } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'secret',
    values: [
      { name: 'of letters', description: 'Has a secret of letters and hyphens.' },
      {
        name: 'with non-ASCII characters',
        description: 'Has a secret with characters outside ASCII.',
        choices: { hosting: { secret: 'clé secrète du rayon de livres, assez longue' } },
      },
      {
        name: 'of 32 bytes',
        notCombined: true,
        description: 'Has a secret of exactly 32 bytes.',
        choices: { hosting: { secret: 'x7Jq0ZpV3mWc9RtB1nYs5LkD8fHg2EaU' } },
      },
    ],
  },
]
