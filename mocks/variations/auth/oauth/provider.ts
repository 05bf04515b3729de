import type { Factor } from '../variation.ts'

/** Freedoms of users, introspection and revocation. */
export const provider: readonly Factor[] = []
