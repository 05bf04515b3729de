import type { AuthFactor } from '../variation.ts'

/** Freedoms of the flow as a whole. */
export const flow: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-FLOW-01',
    name: 'served with tokens',
    levels: [
      { name: 'both transports', description: 'Streamable HTTP and HTTP+SSE are served.' },
      {
        name: 'streamable HTTP',
        description: 'Streamable HTTP is served alone.',
        choices: { hosting: { transports: ['http'] } },
      },
      {
        name: 'HTTP+SSE',
        description: 'HTTP+SSE is served alone.',
        choices: { hosting: { transports: ['sse'] } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'target file of a server with users',
    levels: [
      { name: 'full', description: 'The target file tells all that can be told.' },
      {
        name: 'sparse',
        description: 'The target file tells neither a tool that knows its user nor a clock.',
        choices: { hosting: { omittedKeys: ['whoami', 'clock'] } },
      },
    ],
  },
]
