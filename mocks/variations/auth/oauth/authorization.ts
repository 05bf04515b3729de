import type { Factor } from '../variation.ts'

/** Freedoms of the authorization endpoint. */
export const authorization: readonly Factor[] = []
