import type { Factor } from '../variation.ts'

/** Freedoms of what is recommended. */
export const practice: readonly Factor[] = []
