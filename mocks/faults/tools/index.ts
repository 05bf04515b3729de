import type { Fault } from './fault.ts'

/** Every written fault of tool servers. */
export const faults: readonly Fault[] = []
