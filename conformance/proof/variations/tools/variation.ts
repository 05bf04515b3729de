import type { Deviation } from '../../faults/tools/fault.ts'
import type { Factor as AnyFactor } from '../variation.ts'

export type Factor = AnyFactor<Deviation>
