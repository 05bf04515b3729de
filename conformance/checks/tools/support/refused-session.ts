import { newJwtMint } from '../../../wire/jwt.ts'
import { patterns, type AuthTarget } from '../authentication.ts'

/** A token of the pattern `jwt`. Undefined for other patterns, or without a secret or token. */
export function preflightToken(auth: AuthTarget | undefined): string | undefined {
  if (auth?.pattern !== 'jwt') return undefined
  const { secret, issuer, audience, claims, token } = auth
  const mint = newJwtMint({ secret, issuer, audience, claims, token, now: Date.now })
  return mint?.validToken() ?? token
}

const securePatterns = patterns.filter((pattern) => pattern !== 'none')

/**
 * Explains why a server refused to open a session: a missing or wrong key in the target file.
 * Undefined if the response proves nothing. With the patterns of OAuth, the suite has no token yet.
 */
export function explainRefusedSession(
  status: number | undefined,
  where: string,
  auth: AuthTarget | undefined,
): string | undefined {
  if (status !== 401 && status !== 403) return undefined
  if (auth === undefined && status === 401)
    return `401 for ${where}: the server requires a token. Set tools.auth.pattern (${securePatterns.join(', ')}) and the keys of this pattern; for a fixed token, jwt and TOOLS_TOKEN.`
  if (auth?.pattern !== 'jwt') return undefined
  return auth.secret === undefined
    ? `${status} for ${where}: tools.auth.token (TOOLS_TOKEN) was refused.`
    : `${status} for ${where}: the token that the suite signed was refused. Check tools.auth.secret (TOOLS_JWT_SECRET), tools.auth.issuer and tools.auth.audience.`
}
