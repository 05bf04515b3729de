import type { Fault } from '../fault.ts'

/** Faults of the token endpoint. */
export const token: readonly Fault[] = []
