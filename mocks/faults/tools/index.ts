import { calls } from './calls.ts'
import { definitions } from './definitions.ts'
import type { Fault } from './fault.ts'
import { input } from './input.ts'
/** Every written fault of tool servers. */
export const faults: readonly Fault[] = [...definitions, ...calls, ...input]
