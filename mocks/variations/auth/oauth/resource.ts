import type { Factor } from '../variation.ts'

/** Freedoms of the resource behind the tokens. */
export const resource: readonly Factor[] = []
