import type { GreetingDeviation } from '../../faults/greeting/fault.ts'
import type { Factor } from '../variation.ts'

export type GreetingFactor = Factor<GreetingDeviation>
