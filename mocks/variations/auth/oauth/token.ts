import type { Factor } from '../variation.ts'

/** Freedoms of the token endpoint. */
export const token: readonly Factor[] = []
