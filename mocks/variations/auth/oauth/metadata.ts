import type { Factor } from '../variation.ts'

/** Freedoms of metadata. */
export const metadata: readonly Factor[] = []
