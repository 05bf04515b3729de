import type { Fault } from '../fault.ts'

/** Faults of what a user decides. */
export const consent: readonly Fault[] = []
