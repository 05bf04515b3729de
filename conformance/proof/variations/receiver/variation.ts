import type { ReceiverDeviation } from '../../faults/receiver/fault.ts'
import type { Factor } from '../variation.ts'

export type ReceiverFactor = Factor<ReceiverDeviation>
