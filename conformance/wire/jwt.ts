/** JSON Web Tokens, made by hand: good ones, and those that no server may trust. */
export type { Forged, Forgery } from './jwt/making.ts'
export type { OpenPoint } from './jwt/forms.ts'
export { newJwtMint, type JwtMint } from './jwt/mint.ts'
