import type { HooksDeviation } from '../../faults/hooks/fault.ts'
import type { Factor, FactorLevel } from '../variation.ts'

export type HooksFactor = Factor<HooksDeviation>
export type HooksFactorLevel = FactorLevel<HooksDeviation>
