/** JSON Web Tokens, made by hand: good ones, and those that no server may trust. */
export { attackersKey, attackersKeys } from './jwt/attacker.ts'
export type { Forged, Forgery, NamedToken } from './jwt/making.ts'
export type { OpenPoint } from './jwt/forms.ts'
export { newJwtMint, type JwtMint, type JwtSource } from './jwt/mint.ts'
