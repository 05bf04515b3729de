import type { JwtMint } from '../../../wire/index.ts'
import { newJwtMint, newTokenSeconds } from '../../../wire/jwt.ts'
import { NotCovered } from '../../../engine/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'
import type { ToolsNeed } from '../../tools/target.ts'

/**
 * Returns the mint, the object that signs the tokens of the pattern `jwt`. Throws `NotCovered` if
 * the target file contains neither a secret nor a token.
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
 * Returns a valid token and its lifetime in seconds. The lifetime of the token in the target file
 * is undefined.
 */
export function mintToken(
  auth: AuthTarget,
  now: number,
): { token: string; seconds: number | undefined } {
  return {
    token: newMintFor(auth, () => now).validToken(),
    seconds: auth.secret === undefined ? undefined : newTokenSeconds,
  }
}
