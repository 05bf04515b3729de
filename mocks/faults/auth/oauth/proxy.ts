import type { Fault } from '../fault.ts'

/** Faults of the identity provider behind a proxy. */
export const proxy: readonly Fault[] = []
