import type { Fault } from '../fault.ts'

/** Faults of the registration of clients. */
export const registration: readonly Fault[] = []
