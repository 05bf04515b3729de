import type { Fault } from '../fault.ts'

/** Faults of the flow as a whole. */
export const flow: readonly Fault[] = []
