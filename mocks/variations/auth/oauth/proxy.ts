import type { Factor } from '../variation.ts'

/** Freedoms of the identity provider behind a proxy. */
export const proxy: readonly Factor[] = []
