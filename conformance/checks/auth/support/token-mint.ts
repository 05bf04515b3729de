import type { JwtMint } from '../../../wire/index.ts'
import { newJwtMint } from '../../../wire/jwt.ts'
import { NotCovered } from '../../../engine/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'
import type { ToolsNeed } from '../../tools/target.ts'

/** Lifetime in seconds of a token that the suite signs. */
const lifetime = 30 * 60

/**
 * The mint for the tokens of the pattern `jwt`. Throws `NotCovered` if the target file contains
 * neither a secret nor a token.
 */
export function newMintFor(
  { secret, issuer, audience, claims, token }: AuthTarget,
  now: () => number,
): JwtMint {
  const mint = newJwtMint({ secret, issuer, audience, claims, token, now })
  if (mint === undefined)
    throw new NotCovered<ToolsNeed>('the target file contains neither a secret nor a token', [
      'tools.auth.secret',
      'tools.auth.token',
    ])
  return mint
}

/**
 * A valid token, and its lifetime in seconds, which is undefined if the token is that of the target
 * file.
 */
export function mintToken(
  auth: AuthTarget,
  now: number,
): { token: string; seconds: number | undefined } {
  return {
    token: newMintFor(auth, () => now).validToken(),
    seconds: auth.secret === undefined ? undefined : lifetime,
  }
}
