/** JSON Web Tokens: valid tokens, and forged tokens, which no server may trust. */
export type { Forged, Forgery } from './jwt/forgery.ts'
export type { OpenPoint } from './jwt/formats.ts'
export { newJwtMint, newTokenSeconds, type ExpiringTokens, type JwtMint } from './jwt/mint.ts'
