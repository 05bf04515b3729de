import type { JwtMint } from '../../../wire/index.ts'
import { newJwtMint, newTokenSeconds } from '../../../wire/jwt.ts'
import { NotCovered } from '../../../engine/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'
import type { ToolsNeed } from '../../tools/target.ts'

/**
 * Returns the mint, the object that signs the tokens of the pattern `jwt`. Undefined if the target
 * file contains only an opaque token, from which no other token can be derived.
 */
export const newMintFor = (
  { secret, issuer, audience, claims, token }: AuthTarget,
  now: () => number,
): JwtMint | undefined => newJwtMint({ secret, issuer, audience, claims, token, now })

/** Ends a check that needs tokens which the suite cannot derive from an opaque token. */
export const opaqueTokenNotCovered = () =>
  new NotCovered<ToolsNeed>(
    'the suite cannot derive other tokens from tools.auth.token, because it is not a JWT',
    ['tools.auth.secret'],
  )

/**
 * Returns a valid token and its lifetime in seconds. The token in the target file is returned as it
 * is, and its lifetime is undefined. Throws `NotCovered` if the target file contains neither a
 * secret nor a token.
 */
export function mintToken(
  auth: AuthTarget,
  now: number,
): { token: string; seconds: number | undefined } {
  const token = newMintFor(auth, () => now)?.validToken() ?? auth.token
  if (token === undefined)
    throw new NotCovered<ToolsNeed>('the target file contains neither a secret nor a token', [
      'tools.auth.secret',
      'tools.auth.token',
    ])
  return {
    token,
    seconds: auth.secret === undefined ? undefined : newTokenSeconds,
  }
}
