import type { RuleRequirements } from '../../../../kit/requirements.ts'
import type { IncomingMessage } from 'node:http'
import { compactVerify } from 'jose'
import { isObject, jsonOf } from '../../../http/body.ts'
import type { JwtChoices } from './choices.ts'

export type JwtPart = Record<string, unknown>

/** A token with a valid signature. */
export interface VerifiedToken {
  header: JwtPart
  claims: JwtPart
}

/** The parts of a request that the pattern uses. */
export interface AccessRequest {
  path: string
  method: string
  session: string | undefined
}

/**
 * The rules by which the server meets the requirements of the pattern jwt, and those of RFC 7519,
 * 7515 and 8725 for verifiers. Faults replace them one by one.
 */
export interface JwtRules {
  /** The minimum length of a secret in bits. */
  minSecretBits: number
  /** Whether a request requires a token. */
  requiresToken(request: AccessRequest): boolean
  /** The Authorization header; undefined if it is missing. */
  authorizationOf(request: IncomingMessage): string | undefined
  /** The token in an Authorization header; undefined for another scheme or a missing token. */
  bearerTokenIn(header: string, choices: JwtChoices): string | undefined
  /** Header and claims of a token signed with the secret; undefined for other tokens. */
  verifySignature(
    token: string,
    secret: Uint8Array,
    choices: JwtChoices,
  ): Promise<VerifiedToken | undefined>
  /** Whether the server understands the header of a token. */
  supportsHeader(header: JwtPart): boolean
  isIssuer(claims: JwtPart, issuer: string): boolean
  isAudience(claims: JwtPart, audience: string): boolean
  /** Whether a token has not expired at `now`, in seconds since the epoch. */
  isUnexpired(claims: JwtPart, now: number, choices: JwtChoices): boolean
  /** Whether a token is already valid at `now`, in seconds since the epoch. */
  isAlreadyValid(claims: JwtPart, now: number, choices: JwtChoices): boolean
  /**
   * The response if the Authorization header is missing, or if it contains no bearer token and the
   * choice `otherScheme` is 401.
   */
  missingTokenRefusal: { status: number; text: string }
  /**
   * The response to every invalid token; always the same, so that it does not reveal the reason.
   */
  invalidTokenRefusal: { status: number; text: string }
}

export const defaultJwtRules: Readonly<JwtRules> = Object.freeze<JwtRules>({
  minSecretBits: 256,
  requiresToken: () => true,
  authorizationOf: ({ headers }) => headers.authorization,
  bearerTokenIn: (header, { scheme }) =>
    (scheme === 'Bearer' ? /^Bearer +(\S+) *$/ : /^bearer +(\S+) *$/i).exec(header)?.[1],
  verifySignature,
  supportsHeader: (header) => !('crit' in header),
  isIssuer: ({ iss }, issuer) => iss === issuer,
  isAudience: ({ aud }, audience) =>
    aud === audience || (Array.isArray(aud) && aud.includes(audience)),
  isUnexpired: ({ exp }, now, { expiry, leewaySeconds }) =>
    exp === undefined ? expiry === 'optional' : isTime(exp) && now < exp + leewaySeconds,
  isAlreadyValid: ({ nbf, iat }, now, { futureIssue, leewaySeconds }) =>
    [nbf, ...(futureIssue === 'refused' ? [iat] : [])].every(
      (at) => at === undefined || (isTime(at) && at <= now + leewaySeconds),
    ) &&
    (iat === undefined || isTime(iat)),
  missingTokenRefusal: { status: 401, text: 'Unauthorized' },
  invalidTokenRefusal: { status: 403, text: 'Invalid token' },
})

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)

/**
 * Uses only the secret as key, and only the algorithms that the server accepts. Keys that the
 * header of a token contains or refers to are never read. The platform compares HMACs in constant
 * time.
 */
async function verifySignature(
  token: string,
  secret: Uint8Array,
  { algorithms }: JwtChoices,
): Promise<VerifiedToken | undefined> {
  try {
    const { protectedHeader, payload } = await compactVerify(token, secret, {
      algorithms: [...algorithms],
    })
    const claims = jsonOf(payload)?.value
    return isObject(claims) ? { header: { ...protectedHeader }, claims } : undefined
  } catch {
    return undefined
  }
}

export const jwtRuleRequirements: RuleRequirements<JwtRules> = {
  minSecretBits: ['AUTH-JWT-19'],
  requiresToken: ['AUTH-JWT-02', 'AUTH-JWT-16'],
  authorizationOf: ['AUTH-JWT-02'],
  bearerTokenIn: ['AUTH-JWT-01', 'AUTH-JWT-27'],
  verifySignature: ['AUTH-JWT-06', 'AUTH-JWT-09', 'AUTH-JWT-10', 'AUTH-JWT-11', 'AUTH-JWT-15'],
  supportsHeader: ['AUTH-JWT-12'],
  isIssuer: ['AUTH-JWT-07'],
  isAudience: ['AUTH-JWT-08'],
  isUnexpired: ['AUTH-JWT-13'],
  isAlreadyValid: ['AUTH-JWT-14'],
  missingTokenRefusal: ['AUTH-JWT-02', 'AUTH-JWT-03'],
  invalidTokenRefusal: ['AUTH-JWT-04', 'AUTH-JWT-05', 'AUTH-JWT-17'],
}
