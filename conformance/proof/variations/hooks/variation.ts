import type { Deviation } from '../../faults/hooks/fault.ts'
import type { Factor as AnyFactor, Level as AnyLevel } from '../variation.ts'

export type Factor = AnyFactor<Deviation>
export type Level = AnyLevel<Deviation>
