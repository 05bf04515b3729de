import type { JwtMint } from '../../../wire/index.ts'
import { newJwtMint } from '../../../wire/jwt.ts'
import { NotCovered } from '../../../engine/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'
import type { ToolsNeed } from '../../tools/target.ts'

/** For how many seconds a token of the suite's own is good. */
const lifetime = 30 * 60

/** A mint for tokens of pattern 2. What the target file tells too little for is not covered. */
export function mintFor(
  { secret, issuer, audience, claims, token }: AuthTarget,
  now: () => number,
): JwtMint {
  const mint = newJwtMint({ secret, issuer, audience, claims, token, now })
  if (mint === undefined)
    throw new NotCovered<ToolsNeed>('neither a secret nor a token is told', [
      'tools.auth.secret',
      'tools.auth.token',
    ])
  return mint
}

/** A good token, and for how many seconds; undefined for one of which only its giver knows. */
export function mintedFor(
  auth: AuthTarget,
  now: number,
): { token: string; seconds: number | undefined } {
  return {
    token: mintFor(auth, () => now).good(),
    seconds: auth.secret === undefined ? undefined : lifetime,
  }
}
