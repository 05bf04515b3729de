import type { HooksDeviation } from '../../faults/hooks/fault.ts'
import type { Factor, FactorValue } from '../variation.ts'

export type HooksFactor = Factor<HooksDeviation>
export type HooksFactorValue = FactorValue<HooksDeviation>
