import type { Factor } from '../variation.ts'

/** Freedoms of the registration of clients. */
export const registration: readonly Factor[] = []
