import type { Fault } from '../fault.ts'

/** Faults of the resource behind the tokens. */
export const resource: readonly Fault[] = []
