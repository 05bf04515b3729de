import type { Factor } from '../variation.ts'

/** Freedoms of what a user decides. */
export const consent: readonly Factor[] = []
