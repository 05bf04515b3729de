import type {
  ToolsChoices,
  DeviationPoints,
  ToolsRules,
  TransportName,
} from '../../../../mocks/stateful/tools.ts'
import type { Fault } from '../fault.ts'

/** How a server is run and what its target file declares, in addition to its choices. */
export interface ToolsHosting {
  /** The tested transports; the target file declares no others. */
  transports: readonly TransportName[]
  /** Whether the target file declares the server's clock. */
  clock: boolean
}

/** How a tool server differs from the reference: broken, or a variation. */
export interface ToolsDeviation extends DeviationPoints {
  rules?: Partial<ToolsRules>
  choices?: Partial<ToolsChoices & ToolsHosting>
}

export type ToolsFault = Fault<ToolsDeviation>
