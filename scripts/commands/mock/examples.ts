/**
 * An example, with the names of the mocks that it is about. Without names, it is about all mocks.
 */
type Example = readonly [names: readonly string[], lines: string]

const examples: readonly Example[] = [
  [
    [],
    `  touchstone mock
      all mocks: images on ports 4010 to 4013, hooks on 4020, receiver on 4030,
      greeting on 50051, tools on 4050, identity on 4060`,
  ],
  [
    ['greeting'],
    `  touchstone mock greeting --tls --token hush
      the greeting RPC over TLS, for clients with that token`,
  ],
  [
    ['images'],
    `  touchstone mock images --stateful --port 0
      the stateful image service on free ports`,
  ],
  [
    ['hooks'],
    `  touchstone mock hooks receiver --stateful
      hooks that send deliveries, and a receiver`,
  ],
  [
    ['receiver'],
    `  touchstone mock receiver --secret hush
      a receiver of deliveries that requires this secret`,
  ],
  [
    ['tools'],
    `  touchstone mock tools --transport stdio
      the tool server over standard input and output
  touchstone mock tools --transport sse --port 0
      the tool server with HTTP+SSE alone, on a free port
  touchstone mock tools --everything
      the tool server with the fixtures of @modelcontextprotocol/conformance
  touchstone mock tools --auth jwt
      the tool server for clients with a JSON Web Token; prints a valid token
  touchstone mock tools --auth oauth-provider
      the tool server with users, a consent page and tokens
  touchstone mock tools --auth oauth-proxy
      the tool server with users who sign in at an identity provider`,
  ],
  [
    ['identity'],
    `  touchstone mock identity --consent form
      an identity provider with a login form`,
  ],
  [
    ['images'],
    `  touchstone mock images --port 5000 --port batch=80
      account 5000, batch 80, upload 5002, delivery 5003`,
  ],
  [
    ['images', 'hooks'],
    `  touchstone mock --stateful --json > mock.json
      URLs, tokens and the process id for a script`,
  ],
]

const errors: readonly Example[] = [
  [
    ['images'],
    `
The images mock returns any documented error on request:
  curl -H 'Prefer: code=429' -H 'Authorization: Bearer images-token' \\
    http://127.0.0.1:4010/client/v4/accounts/acc-1/images/v2
`,
  ],
  [
    ['hooks'],
    `
The hooks mock returns any documented error on request:
  curl -X POST -H 'Prefer: code=429' -H 'PRIVATE-TOKEN: hooks-token' \\
    http://127.0.0.1:4020/api/v4/projects/42/hooks/1/test/push_events
`,
  ],
]

/**
 * Returns the examples and exit statuses for the help of the requested mocks, or of all mocks if
 * none is requested.
 */
export function formatMockExamples(requested: readonly string[]): string {
  const concerns = (names: readonly string[]) =>
    requested.length === 0 || names.some((name) => requested.includes(name))
  const linesOf = (all: readonly Example[]) =>
    all.filter(([names]) => names.length === 0 || concerns(names)).map(([, lines]) => lines)
  const shown = linesOf(examples)
  const stopped = concerns(['tools']) ? '; with --transport stdio, also: the input ended' : ''
  return `
Example${shown.length === 1 && !shown[0]!.includes('\n  t') ? '' : 's'}:
${shown.join('\n')}
${linesOf(errors).join('')}
Exit status:
  0    stopped with Ctrl-C${stopped}
  3    a usage error, or a port that cannot be used
`
}
