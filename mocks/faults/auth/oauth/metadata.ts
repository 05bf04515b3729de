import type { Fault } from '../fault.ts'

/** Faults of metadata. */
export const metadata: readonly Fault[] = []
