import type { IncomingMessage } from 'node:http'
import { note } from '../../../../serving/notes.ts'
import type { Reply } from '../../../http/reply.ts'
import { pathOf, textReply, type Admission, type Guard, type GuardContext } from '../guard.ts'
import { defaultJwtChoices, type JwtChoices } from './choices.ts'
import { defaultJwtRules, type JwtPart, type JwtRules } from './rules.ts'
import { tokenOf } from './token.ts'

export interface JwtOptions {
  pattern: 'jwt'
  /** The secret that signs tokens: at least 256 bits, which is 32 bytes of UTF-8. */
  secret?: string
  /** The required value of `iss`. */
  issuer?: string
  /** The value that `aud` must have or contain. */
  audience?: string
  choices?: Partial<JwtChoices>
  rules?: Partial<JwtRules>
}

export interface JwtGuard extends Guard {
  readonly pattern: 'jwt'
  readonly secret: string
  readonly issuer: string
  readonly audience: string
  /** Makes a token that is valid for an hour. A claim in `claims` replaces its default value. */
  token(claims?: JwtPart): Promise<string>
}

/**
 * The default secret of `newJwtGuard`. It is public, which is acceptable only in a mock.
 * The command `touchstone mock` passes a different secret.
 */
const defaultSecret = 'touchstone-tools-secret-for-mocks-only'

/**
 * Creates the guard of the pattern jwt. If the secret is too short, throws a RangeError that does
 * not contain the secret.
 */
export function newJwtGuard(
  {
    secret = defaultSecret,
    issuer = 'https://issuer.example',
    audience = 'shelf_mcp',
    ...options
  }: JwtOptions,
  { clock, audit }: Pick<GuardContext, 'clock' | 'audit'>,
): JwtGuard {
  const rules = { ...defaultJwtRules, ...options.rules }
  const choices = { ...defaultJwtChoices, ...options.choices }
  const key = new TextEncoder().encode(secret)
  if (key.length * 8 < rules.minSecretBits)
    throw new RangeError(
      `The secret has ${key.length * 8} bits, but needs at least ${rules.minSecretBits}: ${rules.minSecretBits / 8} bytes`,
    )
  const refuse = ({ status, text }: { status: number; text: string }): Reply => {
    const challenge: Record<string, string> =
      choices.challenges && status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}
    return choices.refusals === 'json'
      ? { status, body: { error: text }, headers: challenge }
      : textReply(status, text, challenge)
  }
  const recordRefusal = (reason: string) =>
    audit.record({ event: 'resource', outcome: 'refused', reason })
  const admit = async (request: IncomingMessage): Promise<Admission> => {
    const session = request.headers['mcp-session-id']
    if (
      !rules.requiresToken({
        path: pathOf(request),
        method: request.method ?? 'GET',
        session: typeof session === 'string' ? session : undefined,
      })
    )
      return { user: undefined }
    const header = rules.authorizationOf(request)
    if (header === undefined) {
      recordRefusal('no token')
      note(request, { requirement: 'AUTH-JWT-02' })
      return { reply: refuse(rules.missingTokenRefusal) }
    }
    const token = rules.bearerTokenIn(header, choices)
    if (token === undefined) {
      recordRefusal('no token')
      note(request, { requirement: 'AUTH-JWT-27' })
      return {
        reply: refuse(
          choices.otherScheme === 401 ? rules.missingTokenRefusal : rules.invalidTokenRefusal,
        ),
      }
    }
    const verified = await rules.verifySignature(token, key, choices)
    const now = clock.now() / 1000
    const isValid =
      verified !== undefined &&
      rules.supportsHeader(verified.header) &&
      rules.isIssuer(verified.claims, issuer) &&
      rules.isAudience(verified.claims, audience) &&
      rules.isUnexpired(verified.claims, now, choices) &&
      rules.isAlreadyValid(verified.claims, now, choices)
    if (!isValid) {
      recordRefusal('invalid_token')
      note(request, { requirement: 'AUTH-JWT-04' })
      return { reply: refuse(rules.invalidTokenRefusal) }
    }
    const { sub, email } = verified.claims
    return {
      user:
        typeof sub !== 'string'
          ? undefined
          : { login: sub, ...(typeof email === 'string' ? { email } : {}) },
    }
  }
  return {
    pattern: 'jwt',
    secret,
    issuer,
    audience,
    admit,
    setOrigin: () => {},
    handleEndpoint: () => undefined,
    token: (claims) => tokenOf({ key, issuer, audience, now: clock.now() / 1000 }, claims),
  }
}
