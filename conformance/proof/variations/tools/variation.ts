import type { ToolsDeviation } from '../../faults/tools/fault.ts'
import type { Factor } from '../variation.ts'

export type ToolsFactor = Factor<ToolsDeviation>
