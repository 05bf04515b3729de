import type { Fault } from '../fault.ts'

/** Faults of what is recommended. */
export const practice: readonly Fault[] = []
