import type { Deviation } from '../../faults/receiver/fault.ts'
import type { Factor as AnyFactor } from '../variation.ts'

export type Factor = AnyFactor<Deviation>
