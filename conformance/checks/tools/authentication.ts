import {
  count,
  fields,
  group,
  object,
  root,
  secret,
  text,
  texts,
  toggle,
  url,
  word,
  type Draft,
  type Problem,
  type SectionOf,
} from '../../target-file/section.ts'

/** The four patterns of authentication of a tool server. */
export const patterns = ['none', 'jwt', 'oauth-proxy', 'oauth-provider'] as const
export type Pattern = (typeof patterns)[number]

/** Keys of the pattern `jwt`. */
const jwtKeys = {
  secret: secret({
    description:
      'jwt: secret with which the server verifies tokens (HS256), and with which the suite signs them',
    example: '${TOOLS_JWT_SECRET}',
    variable: 'TOOLS_JWT_SECRET',
  }),
  issuer: text({
    description: 'jwt: required issuer of tokens',
    example: 'https://issuer.example.com',
  }),
  audience: text({
    description: 'jwt: required audience of tokens',
    example: 'shelf_mcp',
  }),
  claims: object({
    description: 'jwt: other required claims of tokens',
    example: '{ "sub": "tester" }',
  }),
  token: secret({
    description:
      'jwt: token to use if the secret is not available; it must be valid for the whole run',
    example: '${TOOLS_TOKEN}',
    variable: 'TOOLS_TOKEN',
  }),
}

/** Keys of the patterns `oauth-proxy` and `oauth-provider`. */
const oauthKeys = {
  url: root({
    description:
      'oauth-proxy, oauth-provider: base URL of /authorize, /token and /register; default: the origin of tools.http or tools.sse',
    example: 'http://127.0.0.1:4050',
  }),
  registration: toggle({
    description: 'oauth-proxy, oauth-provider: whether clients may register themselves',
    example: 'true',
    default: true,
    optional: true,
  }),
  clientId: text({
    description:
      'oauth-proxy, oauth-provider: id of a client that is registered for the suite, if clients cannot register themselves, or if the server limits registrations',
    example: 'touchstone',
    with: 'redirectUri',
  }),
  clientSecret: secret({
    description:
      'oauth-proxy, oauth-provider: secret of the client that is registered for the suite, if it has one',
    example: '${TOOLS_CLIENT_SECRET}',
    variable: 'TOOLS_CLIENT_SECRET',
    with: 'clientId',
  }),
  redirectUri: url({
    description:
      'oauth-proxy, oauth-provider: redirect URI of the client that is registered for the suite',
    example: 'http://127.0.0.1:7777/back',
    with: 'clientId',
  }),
  scope: text({
    description:
      'oauth-proxy, oauth-provider: scopes that the suite requests, if the server requires some',
    example: 'shelf:read shelf:write',
  }),
  resource: url({
    description:
      'oauth-proxy, oauth-provider: resource that the suite requests (RFC 8707), if the server requires one',
    example: 'http://127.0.0.1:4050/mcp',
  }),
  consent: word(['auto', 'form', 'command'], {
    description:
      'oauth-proxy, oauth-provider: how users approve a client: form (the suite fills in the pages), command (the program in tools.auth.command acts as the user) or auto (users are not asked)',
    example: 'form',
    default: 'form',
    optional: true,
  }),
  form: fields({
    description:
      'oauth-proxy, oauth-provider: values for the form fields of the consent pages, by field name',
    example: '{ "login": "ada", "password": "${TOOLS_PASSWORD}" }',
  }),
  approve: text({
    description:
      'oauth-proxy, oauth-provider: button that approves, as name=value or by its label, if the suite does not find it',
    example: 'decision=approve',
  }),
  deny: text({
    description:
      'oauth-proxy, oauth-provider: button or link that denies, as name=value or by its label, if the suite does not find it',
    example: 'decision=deny',
  }),
  command: group({
    program: text({
      description:
        'oauth-proxy, oauth-provider: program that acts as a user with a browser, if tools.auth.consent is command',
      example: 'node',
      required: true,
    }),
    args: texts({
      description:
        'oauth-proxy, oauth-provider: arguments of that program; {url} is replaced by the URL to open, {decision} by approve or deny',
      example: '["decide.js", "{url}", "{decision}"]',
    }),
  }),
  introspection: group({
    clientId: text({
      description:
        'oauth-proxy, oauth-provider: id with which a resource server introspects tokens, if clients may not do that',
      example: 'shelf-api',
      required: true,
    }),
    clientSecret: secret({
      description: 'oauth-proxy, oauth-provider: secret of that resource server',
      example: '${TOOLS_INTROSPECTION_SECRET}',
      variable: 'TOOLS_INTROSPECTION_SECRET',
    }),
  }),
  clock: url({
    description:
      'oauth-proxy, oauth-provider: URL of a test endpoint that sets the clock of your server, to test the expiry of codes and tokens: POST {"offsetSeconds": N} sets it N seconds ahead of real time, and N = 0 resets it',
    example: 'http://127.0.0.1:4050/_touchstone/clock',
  }),
  attempts: count({
    description:
      'oauth-proxy, oauth-provider: how many token requests with a wrong code the server allows within one minute before it responds with 429; the suite sends them at the end of the run',
    example: '100',
  }),
}

/** Keys of the patterns whose tokens the suite can obtain for several users. */
const userKeys = {
  whoami: group({
    tool: text({
      description:
        'jwt, oauth-proxy: tool that returns the authenticated user, for example the login and email',
      example: 'shelf_show_status',
      required: true,
    }),
    arguments: object({
      description: 'jwt, oauth-proxy: arguments for that tool',
      example: '{ "detail": "full" }',
      default: {},
    }),
  }),
}

/** Keys of the pattern `oauth-proxy`. */
const proxyKeys = {
  upstream: group({
    clientId: text({
      description:
        'oauth-proxy: client id with which the server is registered at the upstream identity provider; in the server, often the setting CLIENT_ID',
      example: 'shelf',
      required: true,
    }),
    clientSecret: secret({
      description:
        'oauth-proxy: client secret that the server uses at the upstream identity provider; in the server, often the setting CLIENT_SECRET',
      example: '${TOOLS_UPSTREAM_SECRET}',
      variable: 'TOOLS_UPSTREAM_SECRET',
    }),
    scopes: texts({
      description:
        'oauth-proxy: scopes that the server requests from the upstream identity provider',
      example: '["read:user", "user:email"]',
    }),
    control: url({
      description:
        'oauth-proxy: URL of a test endpoint that your server provides to change its identity provider: POST {"url": …} sets the base URL of /authorize, /token and /user, and {"url": null} restores it',
      example: 'http://127.0.0.1:4050/_touchstone/identity',
    }),
  }),
}

/** The authentication of a tool server: `tools.auth`. */
export const authGroup = group(
  {
    pattern: word(patterns, {
      description:
        'authentication pattern of the server: none, jwt, oauth-proxy or oauth-provider (none if tools.auth is not set)',
      example: 'oauth-provider',
      required: true,
    }),

    ...jwtKeys,
    ...userKeys,
    ...oauthKeys,
    ...proxyKeys,
  },
  { problems: findProblems },
)

/** The authentication of a tool server. Without it, the pattern is `none`. */
export type AuthTarget = SectionOf<typeof authGroup>

const proxyOnly: readonly Pattern[] = ['oauth-proxy']

/** The patterns that use a key, for keys that not all patterns use. */
const patternsByPath: Readonly<Record<string, readonly Pattern[]>> = {
  ...pathsOf(jwtKeys, ['jwt']),
  ...pathsOf(oauthKeys, ['oauth-proxy', 'oauth-provider']),
  ...pathsOf(userKeys, ['jwt', 'oauth-proxy']),
  ...pathsOf(proxyKeys, proxyOnly),
  'suite.identity': proxyOnly,
}

function pathsOf(keys: object, patterns: readonly Pattern[]): Record<string, readonly Pattern[]> {
  return Object.fromEntries(Object.keys(keys).map((name) => [`tools.auth.${name}`, patterns]))
}

/**
 * Whether a pattern uses the key at a path. A key that the pattern does not use is never reported
 * as missing.
 */
export function isUsedByPattern(path: string, pattern: Pattern): boolean {
  const [, key = path] = /^(tools\.auth\.\w+)/.exec(path) ?? []
  return patternsByPath[key]?.includes(pattern) ?? true
}

/** Problems with combinations of keys. */
function findProblems({ values }: Draft): Problem[] {
  const pattern = values.get('pattern')
  if (pattern === undefined) return []
  const has = (key: string) => values.has(key)
  const found: Problem[] = []
  const missing = ['issuer', 'audience'].filter((key) => !has(key))
  if (pattern === 'jwt' && !has('secret') && !has('token'))
    found.push([
      'pattern',
      'tools.auth needs secret, issuer and audience, or token. Next: export TOOLS_JWT_SECRET=…, or TOOLS_TOKEN=…',
    ])
  if (pattern === 'jwt' && has('secret') && missing.length > 0)
    found.push(['secret', `tools.auth.secret is set without ${missing.join(' and ')}`])
  if (values.get('consent') === 'command' && !has('command.program'))
    found.push([
      'consent',
      'tools.auth.consent is command, but tools.auth.command.program is not set',
    ])
  if (
    values.get('registration') === false &&
    !has('clientId') &&
    String(pattern).startsWith('oauth')
  )
    found.push([
      'registration',
      'tools.auth.registration is false, so clientId and redirectUri are required',
    ])
  return found
}
