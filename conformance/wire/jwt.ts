/** JSON Web Tokens, made by hand: good ones, and those that no server may trust. */
export type { Forged, Forgery } from './jwt/forgery.ts'
export type { OpenPoint } from './jwt/formats.ts'
export { newJwtMint, type JwtMint } from './jwt/mint.ts'
