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

/** Keys of pattern 2. */
const jwtKeys = {
  secret: secret({
    says: 'jwt: what tokens are signed with, by HS256; the suite signs its own',
    example: '${TOOLS_JWT_SECRET}',
    variable: 'TOOLS_JWT_SECRET',
  }),
  issuer: text({
    says: 'jwt: the issuer that tokens have to name',
    example: 'https://issuer.example.com',
  }),
  audience: text({
    says: 'jwt: the audience that tokens have to name',
    example: 'shelf_mcp',
  }),
  claims: object({
    says: 'jwt: what tokens have to say beside that',
    example: '{ "sub": "tester" }',
  }),
  token: secret({
    says: 'jwt: a token that is good for the whole run, where the secret is not told',
    example: '${TOOLS_TOKEN}',
    variable: 'TOOLS_TOKEN',
  }),
}

/** Keys of patterns 3 and 4. */
const oauthKeys = {
  url: root({
    says: 'oauth: where /authorize, /token and /register are, where that is not the origin of http or sse',
    example: 'http://127.0.0.1:4050',
  }),
  registration: toggle({
    says: 'oauth: false where clients may not register by themselves',
    example: 'true',
    default: true,
    optional: true,
  }),
  clientId: text({
    says: 'oauth: a client for the suite, where it may not register one',
    example: 'touchstone',
    with: 'redirectUri',
  }),
  clientSecret: secret({
    says: "oauth: that client's secret, where it has one",
    example: '${TOOLS_CLIENT_SECRET}',
    variable: 'TOOLS_CLIENT_SECRET',
    with: 'clientId',
  }),
  redirectUri: url({
    says: 'oauth: an address to which users of that client may return',
    example: 'http://127.0.0.1:7777/back',
    with: 'clientId',
  }),
  scope: text({
    says: 'oauth: what the suite asks for, where it has to ask',
    example: 'shelf:read shelf:write',
  }),
  resource: url({
    says: 'oauth: the resource for which it asks (RFC 8707), where it has to',
    example: 'http://127.0.0.1:4050/mcp',
  }),
  consent: word(['auto', 'form', 'command'], {
    says: 'oauth: how its users allow something: on pages with forms, which the suite fills in; by a program; or nobody is asked',
    example: 'form',
    default: 'form',
    optional: true,
  }),
  form: fields({
    says: 'oauth: what a user writes into the fields of those forms, by their names',
    example: '{ "login": "ada", "password": "${TOOLS_PASSWORD}" }',
  }),
  approve: text({
    says: 'oauth: the button that allows, as name=value or by its text, where the suite does not find it',
    example: 'decision=approve',
  }),
  deny: text({
    says: 'oauth: the button or link that denies',
    example: 'decision=deny',
  }),
  command: group({
    command: text({
      says: 'oauth: a program that is a user and its browser',
      example: 'node',
      required: true,
    }),
    args: texts({
      says: "that program's arguments; {url} stands for where it goes, {decision} for approve or deny",
      example: '["decide.js", "{url}", "{decision}"]',
    }),
  }),
  whoami: group({
    tool: text({
      says: 'oauth: a tool that tells login and email of its user',
      example: 'shelf_show_status',
      required: true,
    }),
    arguments: object({
      says: 'arguments with which it does',
      example: '{}',
      required: true,
    }),
  }),
  clock: url({
    says: 'oauth: a URL that sets the clock by which codes and tokens end N seconds ahead when {"offsetSeconds": N} is posted to it; 0 puts it back',
    example: 'http://127.0.0.1:4050/_touchstone/clock',
  }),
  attempts: count({
    says: 'oauth: after so many wrong attempts within a minute it wants its clients to wait; the suite makes them at its end',
    example: '100',
  }),
}

/** Keys of pattern 3. */
const proxyKeys = {
  upstream: group({
    clientId: text({
      says: 'oauth-proxy: who the server is at the upstream identity provider (CLIENT_ID)',
      example: 'shelf',
      required: true,
    }),
    clientSecret: secret({
      says: 'oauth-proxy: how it proves that there (CLIENT_SECRET)',
      example: '${TOOLS_UPSTREAM_SECRET}',
      variable: 'TOOLS_UPSTREAM_SECRET',
    }),
    scopes: texts({
      says: 'oauth-proxy: what it asks for there',
      example: '["read:user", "user:email"]',
    }),
    hook: url({
      says: 'oauth-proxy: a URL that points the server at another identity provider, with /authorize, /token and /user, when {"url": …} is posted to it; {"url": null} puts it back',
      example: 'http://127.0.0.1:4050/_touchstone/identity',
    }),
  }),
}

/** How a tool server knows who comes: `tools.auth`. */
export const authGroup = group(
  {
    pattern: word(patterns, {
      says: 'which of the four patterns of authentication it has; none where there is no `auth`',
      example: 'oauth-provider',
      required: true,
    }),

    ...jwtKeys,
    ...oauthKeys,
    ...proxyKeys,
  },
  { problems: findProblems },
)

/** How a tool server knows who comes. Pattern none where it is not given. */
export type AuthTarget = SectionOf<typeof authGroup>

const proxyOnly: readonly Pattern[] = ['oauth-proxy']

/** The patterns that have a use for a path, where not all of them have: by its first two words below `tools`, and what the suite plays for them. */
const patternsByPath: Readonly<Record<string, readonly Pattern[]>> = {
  ...pathsOf(jwtKeys, ['jwt']),
  ...pathsOf(oauthKeys, ['oauth-proxy', 'oauth-provider']),
  ...pathsOf(proxyKeys, proxyOnly),
  'suite.identity': proxyOnly,
}

function pathsOf(keys: object, patterns: readonly Pattern[]): Record<string, readonly Pattern[]> {
  return Object.fromEntries(Object.keys(keys).map((name) => [`tools.auth.${name}`, patterns]))
}

/** Whether a target with this pattern could give what stands at a path. What a pattern has no use for, a target of that pattern does not lack. */
export function isUsedByPattern(path: string, pattern: Pattern): boolean {
  const [, key = path] = /^(tools\.auth\.\w+)/.exec(path) ?? []
  return patternsByPath[key]?.includes(pattern) ?? true
}

/** Mistakes that no single key shows. */
function findProblems({ values }: Draft): Problem[] {
  const pattern = values.get('pattern')
  if (pattern === undefined) return []
  const has = (key: string) => values.has(key)
  const found: Problem[] = []
  const pair = ['issuer', 'audience'].filter((key) => !has(key))
  if (pattern === 'jwt' && !has('secret') && !has('token'))
    found.push([
      'pattern',
      'tools.auth needs secret, issuer and audience, or a token. Next: export TOOLS_JWT_SECRET=…, or TOOLS_TOKEN=…',
    ])
  if (pattern === 'jwt' && has('secret') && pair.length > 0)
    found.push(['secret', `tools.auth.secret is given without ${pair.join(' and ')}`])
  if (values.get('consent') === 'command' && !has('command.command'))
    found.push(['consent', 'tools.auth.consent is command, and tools.auth.command names none'])
  if (
    values.get('registration') === false &&
    !has('clientId') &&
    String(pattern).startsWith('oauth')
  )
    found.push([
      'registration',
      'tools.auth.registration is false, so the suite needs clientId and redirectUri',
    ])
  return found
}
