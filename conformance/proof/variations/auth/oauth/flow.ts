import type { AuthFactor } from '../variation.ts'

/** Choices that concern the flow as a whole. */
export const flow: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-FLOW-01',
    name: 'transports that accept tokens',
    values: [
      { name: 'both transports', description: 'Serves Streamable HTTP and HTTP+SSE.' },
      {
        name: 'streamable HTTP',
        description: 'Serves only Streamable HTTP.',
        choices: { hosting: { transports: ['http'] } },
      },
      {
        name: 'HTTP+SSE',
        description: 'Serves only HTTP+SSE.',
        choices: { hosting: { transports: ['sse'] } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'target file of a server with users',
    values: [
      { name: 'with all fields', description: 'Declares every key in its target file.' },
      {
        name: 'with few fields',
        description:
          'Declares neither a tool that returns the user nor a clock in its target file.',
        choices: { hosting: { omittedKeys: ['whoami', 'clock'] } },
      },
    ],
  },
]
