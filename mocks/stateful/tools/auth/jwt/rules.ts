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
 * The requirements of pattern 2, and those of RFC 7519, 7515 and 8725 for verifiers, which faults
 * replace one by one.
 */
export interface JwtRules {
  /** The minimum length of a secret in bits. */
  secretBits: number
  /** Whether a request requires a token. */
  guards(request: AccessRequest): boolean
  /** The Authorization header; undefined if it is missing. */
  headerOf(request: IncomingMessage): string | undefined
  /** The token in that header; undefined for another scheme or a missing token. */
  tokenIn(header: string, choices: JwtChoices): string | undefined
  /** Header and claims of a token signed with the secret; undefined for other tokens. */
  opened(token: string, secret: Uint8Array, choices: JwtChoices): Promise<VerifiedToken | undefined>
  /** Whether the server understands the header of a token. */
  understands(header: JwtPart): boolean
  issuer(claims: JwtPart, issuer: string): boolean
  audience(claims: JwtPart, audience: string): boolean
  /** Whether a token has not expired at `now`, in seconds since the epoch. */
  lasts(claims: JwtPart, now: number, choices: JwtChoices): boolean
  /** Whether a token is already valid at `now`, in seconds since the epoch. */
  hasBegun(claims: JwtPart, now: number, choices: JwtChoices): boolean
  /** The response if the header is missing. */
  absent: { status: number; text: string }
  /**
   * The response to every invalid token; always the same, so that it does not reveal the reason.
   */
  invalid: { status: number; text: string }
}

export const defaultJwtRules: Readonly<JwtRules> = Object.freeze<JwtRules>({
  secretBits: 256,
  guards: () => true,
  headerOf: ({ headers }) => headers.authorization,
  tokenIn: (header, { scheme }) =>
    (scheme === 'Bearer' ? /^Bearer +(\S+) *$/ : /^bearer +(\S+) *$/i).exec(header)?.[1],
  opened: signed,
  understands: (header) => !('crit' in header),
  issuer: ({ iss }, issuer) => iss === issuer,
  audience: ({ aud }, audience) =>
    aud === audience || (Array.isArray(aud) && aud.includes(audience)),
  lasts: ({ exp }, now, { expiry, leewaySeconds }) =>
    exp === undefined ? expiry === 'optional' : isTime(exp) && now < exp + leewaySeconds,
  hasBegun: ({ nbf, iat }, now, { futureIssue, leewaySeconds }) =>
    [nbf, ...(futureIssue === 'refused' ? [iat] : [])].every(
      (at) => at === undefined || (isTime(at) && at <= now + leewaySeconds),
    ) &&
    (iat === undefined || isTime(iat)),
  absent: { status: 401, text: 'Unauthorized' },
  invalid: { status: 403, text: 'Invalid token' },
})

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)

/**
 * Only the secret is used as key, and only the server's algorithms: keys named in a header are
 * never read. The platform compares HMACs in constant time.
 */
async function signed(
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
  secretBits: ['AUTH-JWT-19'],
  guards: ['AUTH-JWT-02', 'AUTH-JWT-16'],
  headerOf: ['AUTH-JWT-02'],
  tokenIn: ['AUTH-JWT-01', 'AUTH-JWT-27'],
  opened: ['AUTH-JWT-06', 'AUTH-JWT-09', 'AUTH-JWT-10', 'AUTH-JWT-11', 'AUTH-JWT-15'],
  understands: ['AUTH-JWT-12'],
  issuer: ['AUTH-JWT-07'],
  audience: ['AUTH-JWT-08'],
  lasts: ['AUTH-JWT-13'],
  hasBegun: ['AUTH-JWT-14'],
  absent: ['AUTH-JWT-02', 'AUTH-JWT-03'],
  invalid: ['AUTH-JWT-04', 'AUTH-JWT-05', 'AUTH-JWT-17'],
}
