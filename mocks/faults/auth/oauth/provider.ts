import type { Fault } from '../fault.ts'

/** Faults of users, introspection and revocation. */
export const provider: readonly Fault[] = []
