import type { Fault } from '../fault.ts'

/** Faults of refresh tokens, and the end of access tokens. */
export const refresh: readonly Fault[] = []
