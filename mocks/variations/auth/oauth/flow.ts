import type { Factor } from '../variation.ts'

/** Freedoms of the flow as a whole. */
export const flow: readonly Factor[] = []
