/** The mocks, in the order in which they are started. */
export const mockNames: readonly string[] = [
  'images',
  'hooks',
  'receiver',
  'greeting',
  'tools',
  'identity',
]

/**
 * The names of mocks that have an option, and a condition under which these mocks have it, such as
 * `with --stateful`.
 */
type Scope = readonly [names: readonly string[], condition?: string | undefined]

/** Text, or a function that returns the text for the requested mocks (all if the list is empty). */
type TextForMocks = string | ((requested: readonly string[]) => string)

interface MockOption {
  readonly flags: string
  readonly text: TextForMocks
  /** Text that follows `text` if one of these mocks, or no mock, is requested. */
  readonly more?: readonly [names: readonly string[], text: string]
  /** The mocks that have the option; all if it is missing. */
  readonly scopes?: readonly Scope[]
  /** The default. */
  readonly fallback?: TextForMocks
  /** A sentence at the end, after the default. */
  readonly last?: TextForMocks
  readonly isRepeatable?: true
}

const stateful = 'with --stateful'
const jwt: readonly Scope[] = [[['tools'], 'with --auth jwt']]
const oauth: readonly Scope[] = [[['tools'], 'with --auth oauth-proxy or oauth-provider']]
const proxy: readonly Scope[] = [[['tools'], 'with --auth oauth-proxy']]
const upstreamClient: readonly Scope[] = [[['identity']], ...proxy]

const hasAny = (requested: readonly string[], names: readonly string[]): boolean =>
  requested.length === 0 || names.some((name) => requested.includes(name))

/** Joins words as in a sentence. */
export const listOf = (words: readonly string[]): string =>
  words.join(', ').replace(/, ([^,]+)$/, ' and $1')

/** Returns the kinds of data that a seed file can contain for the requested mocks. */
const seedData = (requested: readonly string[]): string[] => [
  ...(hasAny(requested, ['images']) ? ['images', 'variants'] : []),
  ...(hasAny(requested, ['hooks']) ? ['hooks'] : []),
  ...(hasAny(requested, ['tools']) ? ['books'] : []),
]

/** What the mocks have without a seed file. */
const builtIn: Readonly<Record<string, string>> = {
  variants: 'the variant public',
  books: 'only the built-in books',
}

/** Says with which statuses the requested mocks fail. The document describes these statuses. */
const failureStatuses = (requested: readonly string[]): string =>
  !hasAny(requested, ['images'])
    ? 'They fail with status 429'
    : hasAny(requested, ['hooks'])
      ? 'The hooks mock fails with status 429, the images mock with status 429, 500 or 502'
      : 'They fail with status 429, 500 or 502'

/** Example values of TOUCHSTONE_PORT. */
const examplePorts = (requested: readonly string[]): string => {
  const [first, second] = requested.length === 0 ? ['images', 'hooks'] : requested
  return second === undefined ? '5000' : `5000 or ${first!}=5000,${second}=0`
}

/** The options of `touchstone mock`, in the order of the help. */
export const mockOptions: readonly MockOption[] = [
  {
    flags: '--stateful',
    text: 'store what clients send, instead of returning examples from the OpenAPI document',
    scopes: [[['images', 'hooks']]],
  },
  {
    flags: '--port <port>',
    text: 'port of the first server; the other servers use the next ports. 0 means any free port. NAME=PORT sets the port of one mock, and does not change those of others. Repeatable',
    fallback: (requested) =>
      `the environment variable TOUCHSTONE_PORT, such as ${examplePorts(requested)}; if it is not set, the ports in the first example`,
    more: [
      ['images'],
      '. The images mock has four servers; NAME can be one of them: account, batch, upload or delivery',
    ],
    isRepeatable: true,
  },
  {
    flags: '--no-cors',
    text: 'do not let web pages of other origins use the mock',
    scopes: [[['images', 'hooks']]],
  },
  {
    flags: '--allow-origin <origin>',
    text: 'let web pages of this origin, such as http://localhost:5173, use the mock. Repeatable',
    scopes: [[['tools']]],
    fallback: 'only pages whose URL has the same host and port as the mock',
    isRepeatable: true,
  },
  {
    flags: '--account <id>',
    text: 'id of the account',
    scopes: [[['images']]],
    fallback: 'acc-1',
  },
  { flags: '--project <id>', text: 'id of the project', scopes: [[['hooks']]], fallback: '42' },
  {
    flags: '--secret <text>',
    text: 'required value of X-Hook-Token',
    scopes: [[['receiver']]],
    fallback: 'receiver-secret',
  },
  {
    flags: '--token <text>',
    text: 'bearer token that clients must send',
    scopes: [[['greeting']]],
    fallback: 'none',
  },
  {
    flags: '--host <address>',
    text: 'address or name to listen on; the printed URLs contain it. 0.0.0.0 and :: mean every address; the printed URLs then contain the loopback address',
    fallback: 'the environment variable TOUCHSTONE_HOST, or 127.0.0.1',
  },
  {
    flags: '--tls',
    text: 'use TLS with a generated self-signed certificate',
  },
  {
    flags: '--tls-cert <file>',
    text: 'use TLS with the certificate in this PEM file',
  },
  {
    flags: '--tls-key <file>',
    text: 'PEM file with the key of --tls-cert',
  },
  {
    flags: '--client-ca <file>',
    text: 'use TLS and require client certificates that are signed by the authority in this PEM file',
    scopes: [[['greeting']]],
  },
  {
    flags: '--upstream <url>',
    text: 'base URL of the API behind the tools',
    scopes: [[['tools']]],
    fallback: 'a built-in API',
  },
  {
    flags: '--stateless',
    text: 'serve streamable HTTP without sessions',
    more: [['images', 'hooks'], '; unrelated to --stateful'],
    scopes: [[['tools']]],
  },
  {
    flags: '--transport <name>',
    text: 'serve only this transport: streamable_http, sse, or stdio, which serves one client over standard input and output instead of a port and can be combined only with --seed, --upstream, --everything, --audit-log and --quiet',
    scopes: [[['tools']]],
    fallback: 'streamable_http and sse on one port',
  },
  {
    flags: '--everything',
    text: 'also offer the tools, resources and prompts that @modelcontextprotocol/conformance uses; their names do not follow the naming rules of the contract for tool servers',
    scopes: [[['tools']]],
  },
  {
    flags: '--audit-log <file>',
    text: 'append tool calls, logins and requests for tokens to this file, as lines of JSON without secrets',
    scopes: [[['tools']]],
  },
  {
    flags: '--auth <pattern>',
    text: 'authentication: none, jwt, oauth-proxy or oauth-provider',
    scopes: [[['tools']]],
    fallback: 'none',
  },
  {
    flags: '--jwt-secret <text>',
    text: 'secret that signs tokens, at least 32 bytes',
    scopes: jwt,
    fallback: 'the environment variable TOOLS_JWT_SECRET, or a generated secret',
  },
  {
    flags: '--issuer <text>',
    text: 'required issuer of tokens',
    scopes: jwt,
    fallback: 'https://issuer.example',
  },
  {
    flags: '--audience <text>',
    text: 'required audience of tokens',
    scopes: jwt,
    fallback: 'shelf_mcp',
  },
  {
    flags: '--identity <url>',
    text: 'base URL of the identity provider, which serves /authorize, /token and /user',
    scopes: proxy,
    fallback: 'the identity mock, if it is started together and without TLS, or a built-in one',
  },
  {
    flags: '--scopes <list>',
    text: 'scopes to request from the identity provider, separated by commas',
    scopes: proxy,
    fallback: 'read:user,user:email',
  },
  {
    flags: '--client-id <id>',
    text: 'client id with which the tool server is registered at the identity provider',
    scopes: upstreamClient,
    fallback: 'the environment variable CLIENT_ID, or shelf',
  },
  {
    flags: '--client-secret <text>',
    text: 'client secret that the tool server uses at the identity provider',
    scopes: upstreamClient,
    fallback: 'the environment variable CLIENT_SECRET, or shelf-upstream-secret',
  },
  {
    flags: '--oauth-kv <file>',
    text: 'file that stores clients, codes and tokens',
    scopes: oauth,
    fallback:
      'the file that the environment variable OAUTH_KV names; if this variable is not set, nothing is stored in a file',
  },
  {
    flags: '--resource-server-id <id>',
    text: 'id with which a resource server introspects access tokens at /introspect',
    scopes: oauth,
    fallback: 'the environment variable RESOURCE_SERVER_ID, or shelf-api',
  },
  {
    flags: '--resource-server-secret <text>',
    text: 'secret with which a resource server introspects access tokens',
    scopes: oauth,
    fallback: 'the environment variable RESOURCE_SERVER_SECRET, or a generated secret',
  },
  {
    flags: '--no-consent-screen',
    text: 'redirect users to the identity provider without a consent page',
    scopes: proxy,
  },
  {
    flags: '--no-client-registration',
    text: 'disable client registration',
    scopes: oauth,
  },
  {
    flags: '--consent <how>',
    text: 'how users sign in and consent: auto (no page is shown) or form (a login page)',
    scopes: [[['identity']]],
    fallback: 'auto',
  },
  {
    flags: '--max-file-bytes <bytes>',
    text: 'size of the largest accepted file in bytes',
    scopes: [[['images'], stateful]],
    fallback: '10485760',
  },
  {
    flags: '--seed <file>',
    text: (requested) =>
      `YAML or JSON file with the ${listOf(seedData(requested))} that the mock has when it starts`,
    scopes: [[['images', 'hooks'], stateful], [['tools']]],
    fallback: (requested) =>
      seedData(requested)
        .map((data) => builtIn[data] ?? `no ${data}`)
        .join(', '),
  },
  {
    flags: '--latency <ms>',
    text: 'delay of every response in milliseconds, such as 50, or a random delay, such as 20-200',
    fallback: '0',
  },
  {
    flags: '--failure-rate <fraction>',
    text: 'fraction of the requests that fail, from 0 to 1',
    scopes: [[['images', 'hooks']]],
    fallback: '0',
    last: failureStatuses,
  },
  {
    flags: '--random-seed <text>',
    text: (requested) =>
      hasAny(requested, ['images', 'hooks'])
        ? 'seed of --latency and --failure-rate: the same requests get the same delays and failures'
        : 'seed of --latency: the same requests get the same delays',
    fallback: '1',
  },
  {
    flags: '--json',
    text: 'print one line of JSON when all servers are ready, and the request log as lines of JSON',
  },
  { flags: '--quiet', text: 'print no request log to standard error' },
]

/**
 * Returns the scopes of an option for the requested mocks, or all scopes if no mock is requested.
 */
const scopesFor = (scopes: readonly Scope[], requested: readonly string[]): readonly Scope[] =>
  requested.length === 0
    ? scopes
    : scopes.flatMap(([names, condition]) => {
        const own = names.filter((name) => requested.includes(name))
        return own.length === 0 ? [] : [[own, condition] as const]
      })

/**
 * Whether one of the requested mocks has the option; true for every option if none is requested.
 */
export function isOptionOf(flags: string, requested: readonly string[]): boolean {
  const { scopes } = mockOptions.find((option) => option.flags === flags) ?? {}
  return scopes === undefined || scopesFor(scopes, requested).length > 0
}

/**
 * Describes an option, with its mocks and its default. If a single mock is requested, the name of
 * that mock is omitted. Returns undefined for options that are not in `mockOptions`, such as
 * --help.
 */
export function describeMockOption(
  flags: string,
  requested: readonly string[],
): string | undefined {
  const option = mockOptions.find((known) => known.flags === flags)
  if (option === undefined) return undefined
  const resolve = (text: TextForMocks) => (typeof text === 'string' ? text : text(requested))
  const where = scopesFor(option.scopes ?? [], requested)
    .map(([names, condition]) =>
      [
        ...(requested.length === 1 ? [] : [names.join(' and ')]),
        ...(condition === undefined ? [] : [condition]),
      ].join(' '),
    )
    .join(', and ')
  const notes = [
    where,
    option.fallback === undefined ? '' : `default: ${resolve(option.fallback)}`,
  ].filter((note) => note !== '')
  const [names, more] = option.more ?? [[], '']
  const text = `${resolve(option.text)}${hasAny(requested, names) ? more : ''}`
  const last = option.last === undefined ? '' : `. ${resolve(option.last)}`
  return `${text}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}${last}`
}
