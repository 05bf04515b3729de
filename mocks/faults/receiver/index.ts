import type { Fault } from './fault.ts'

/** Every written fault of the receiver. */
export const faults: readonly Fault[] = []
