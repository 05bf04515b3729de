import type { Fault } from './fault.ts'

export { mutants } from './mutants.ts'

/** Every written fault of the hook service. */
export const faults: readonly Fault[] = []
