import type { RuleRequirements } from '../../../../kit/requirements.ts'
import type { IncomingMessage } from 'node:http'
import { compactVerify } from 'jose'
import { isObject, jsonOf } from '../../../http/body.ts'
import type { JwtChoices } from './choices.ts'

export type JwtPart = Record<string, unknown>

/** A token whose signature holds. */
export interface VerifiedToken {
  header: JwtPart
  claims: JwtPart
}

/** A request for a transport, as the pattern sees it. */
export interface AccessRequest {
  path: string
  method: string
  session: string | undefined
}

/** The demands of pattern 2, and what RFC 7519, 7515 and 8725 demand of whoever verifies; replaced one by one by faults. */
export interface JwtRules {
  /** The least length of a secret, in bits. */
  secretBits: number
  /** Whether a token is asked for at all. */
  guards(asked: AccessRequest): boolean
  /** What came as `Authorization`; undefined where it is absent. */
  headerOf(request: IncomingMessage): string | undefined
  /** The token in that header; undefined for another scheme, and for none. */
  tokenIn(header: string, choices: JwtChoices): string | undefined
  /** Header and claims of a token that was signed with the secret; undefined for any other. */
  opened(token: string, secret: Uint8Array, choices: JwtChoices): Promise<VerifiedToken | undefined>
  /** Whether the header of a token asks for nothing that is not understood. */
  understands(header: JwtPart): boolean
  issuer(claims: JwtPart, issuer: string): boolean
  audience(claims: JwtPart, audience: string): boolean
  /** Whether a token has not ended at `now`, in seconds since the epoch. */
  lasts(claims: JwtPart, now: number, choices: JwtChoices): boolean
  /** Whether a token has begun at `now`, in seconds since the epoch. */
  hasBegun(claims: JwtPart, now: number, choices: JwtChoices): boolean
  /** The answer where the header is absent. */
  absent: { status: number; text: string }
  /** The answer to every token that does not verify: one for all, so that nobody learns why. */
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
 * The secret is the only key, and the list of algorithms is the server's: what a header says of keys is never read. The comparison, by the
 * platform's HMAC, takes the same time wherever two signatures differ.
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
