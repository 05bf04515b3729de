import type {
  ToolsChoices,
  DeviationPoints,
  ToolsRules,
  TransportName,
} from '../../../../mocks/stateful/tools.ts'
import type { Fault } from '../fault.ts'

/** How a server is run, and what its target file tells of it, beside the choices that it makes itself. */
export interface ToolsHosting {
  /** Over which transports it is judged; the target file names no others. */
  transports: readonly TransportName[]
  /** False where the target file does not tell of the server's clock. */
  clock: boolean
}

/** How a faulty tool server differs from the correct one. */
export interface ToolsDeviation extends DeviationPoints {
  rules?: Partial<ToolsRules>
  choices?: Partial<ToolsChoices & ToolsHosting>
}

export type ToolsFault = Fault<ToolsDeviation>
