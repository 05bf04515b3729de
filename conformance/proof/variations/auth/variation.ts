import type { AuthDeviation } from '../../faults/auth/fault.ts'
import type { Factor } from '../variation.ts'

export type AuthFactor = Factor<AuthDeviation>
