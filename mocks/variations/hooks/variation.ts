import type { Deviation } from '../../faults/hooks/fault.ts'
import type { Factor as AnyFactor } from '../variation.ts'

export type Factor = AnyFactor<Deviation>
