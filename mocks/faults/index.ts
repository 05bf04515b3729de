import type { Fault } from './fault.ts'
import { deletion } from './images/deletion.ts'

export type { Deviation, Fault } from './fault.ts'

/** Every written fault of the stateful servers. */
export const faults: readonly Fault[] = [...deletion]
