import type { ImagesDeviation } from '../../faults/images/fault.ts'
import type { Factor } from '../variation.ts'

export type ImagesFactor = Factor<ImagesDeviation>
