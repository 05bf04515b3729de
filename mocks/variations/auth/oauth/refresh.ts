import type { Factor } from '../variation.ts'

/** Freedoms of refresh tokens, and the end of access tokens. */
export const refresh: readonly Factor[] = []
