import type { AuthFactor } from '../variation.ts'

/** Freedoms of the flow as a whole. */
export const flow: readonly AuthFactor[] = [
  {
    row: 'AUTH-FLOW-01',
    factor: 'served with tokens',
    levels: [
      { name: 'both transports', says: 'Streamable HTTP and HTTP+SSE are served.' },
      {
        name: 'streamable HTTP',
        says: 'Streamable HTTP is served alone.',
        choices: { hosting: { transports: ['http'] } },
      },
      {
        name: 'HTTP+SSE',
        says: 'HTTP+SSE is served alone.',
        choices: { hosting: { transports: ['sse'] } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'target file of a server with users',
    levels: [
      { name: 'full', says: 'The target file tells all that can be told.' },
      {
        name: 'sparse',
        says: 'The target file tells neither a tool that knows its user nor a clock.',
        choices: { hosting: { untold: ['whoami', 'clock'] } },
      },
    ],
  },
]
