import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { readUserFile, whyUnwritable } from '../../../conformance/target-file/user-file.ts'
import { authPatterns, type AuthPattern, type StartOptions } from '../../../mocks/registry.ts'
import { parseStore } from '../../../mocks/stateful/oauth/store.ts'
import { UsageError } from '../../print-error.ts'
import type { MockOptions } from './options.ts'
import { urlOf } from './stdio.ts'

/** The options that only some patterns of authentication have, with those patterns. */
const patternOptions: readonly (readonly [
  flag: string,
  option: keyof MockOptions,
  patterns: readonly string[],
])[] = [
  ['--jwt-secret', 'jwtSecret', ['jwt']],
  ['--issuer', 'issuer', ['jwt']],
  ['--audience', 'audience', ['jwt']],
  ['--identity', 'identity', ['oauth-proxy']],
  ['--scopes', 'scopes', ['oauth-proxy']],
  ['--oauth-kv', 'oauthKv', ['oauth-proxy', 'oauth-provider']],
  ['--resource-server-id', 'resourceServerId', ['oauth-proxy', 'oauth-provider']],
  ['--resource-server-secret', 'resourceServerSecret', ['oauth-proxy', 'oauth-provider']],
]

/**
 * Reads the settings of authentication from options and variables. Throws a `UsageError` if they
 * contradict each other.
 */
export function authSettings(
  options: MockOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Partial<StartOptions> {
  const {
    issuer,
    audience,
    identity,
    scopes,
    consent,
    consentScreen = true,
    clientRegistration = true,
  } = options
  const auth = patternOf(options.auth)
  for (const [flag, option, patterns] of patternOptions) {
    if (options[option] !== undefined && !patterns.includes(auth))
      throw new UsageError(`${flag} needs --auth ${patterns.join(' or ')}`)
  }
  if (!consentScreen && auth !== 'oauth-proxy')
    throw new UsageError('--no-consent-screen needs --auth oauth-proxy')
  if (!clientRegistration && !auth.startsWith('oauth'))
    throw new UsageError('--no-client-registration needs --auth oauth-proxy or oauth-provider')
  if (consent !== undefined && consent !== 'auto' && consent !== 'form')
    throw new UsageError(`--consent must be auto or form, not ${consent}`)
  const secret = options.jwtSecret ?? (auth === 'jwt' ? environment['TOOLS_JWT_SECRET'] : undefined)
  if (secret !== undefined && Buffer.byteLength(secret) < 32)
    throw new UsageError(
      `the secret of --auth jwt must have at least 32 bytes (256 bits); it has ${Buffer.byteLength(secret)}`,
    )
  const [clientId, clientSecret] = [
    options.clientId ?? environment['CLIENT_ID'],
    options.clientSecret ?? environment['CLIENT_SECRET'],
  ]
  const oauthKv = options.oauthKv ?? environment['OAUTH_KV']
  if (oauthKv !== undefined && auth.startsWith('oauth'))
    requireStore(options.oauthKv === undefined ? 'OAUTH_KV' : '--oauth-kv', oauthKv)
  return {
    auth,
    jwt: defined({ secret, issuer, audience }),
    identity: defined({
      url: identity === undefined ? undefined : urlOf(identity, '--identity'),
      scopes: scopes?.split(',').filter((scope) => scope !== ''),
    }),
    credentials: defined({ clientId, clientSecret }),
    ...defined({ oauthKv, consent }),
    resourceServer: defined({
      id: options.resourceServerId ?? environment['RESOURCE_SERVER_ID'],
      secret: options.resourceServerSecret ?? environment['RESOURCE_SERVER_SECRET'],
    }),
    consentScreen,
    clientRegistration,
  }
}

/**
 * Requires that a file can store OAuth clients and tokens: that it is such a store, or that it can
 * be created. Other files are never overwritten.
 */
function requireStore(flag: string, path: string): void {
  const read = readUserFile(path)
  const next = 'Next: name another file; a file that does not exist is created.'
  if ('text' in read) {
    if (parseStore(read.text) === undefined)
      throw new UsageError(
        `${flag}: ${path} is not a store of clients and tokens, and was not changed.\n${next}`,
      )
  } else if (!read.isMissing)
    throw new UsageError(`${flag}: ${path} cannot be read: ${read.wrong}.\n${next}`)
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw new UsageError(`${flag}: ${path} cannot be written: ${whyUnwritable(error)}.\n${next}`)
  }
}

function patternOf(text = 'none'): AuthPattern {
  const found = authPatterns.find((pattern) => pattern === text)
  if (found === undefined)
    throw new UsageError(`--auth must be one of ${authPatterns.join(', ')}, not ${text}`)
  return found
}

/** Returns the members that are not undefined. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
