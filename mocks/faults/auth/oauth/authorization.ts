import type { Fault } from '../fault.ts'

/** Faults of the authorization endpoint. */
export const authorization: readonly Fault[] = []
