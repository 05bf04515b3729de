import type {
  ToolsChoices,
  DeviationPoints,
  ToolsRules,
  TransportName,
} from '../../../../mocks/stateful/tools.ts'
import type { Fault } from '../fault.ts'

/**
 * Choices of the operator, not of the server: how the server is run, and what its target file
 * contains.
 */
export interface ToolsHosting {
  /** The tested transports; the target file contains no others. */
  transports: readonly TransportName[]
  /** Whether the target file has `tools.clock`, the URL at which the suite sets the clock. */
  clock: boolean
  /**
   * The name of the argument for the query in the target file, instead of `query`; null if the
   * target file states that the tool only lists.
   */
  queryName: string | null
  /** A feature that the mock does not offer, see `furtherFeatures`. */
  further: 'pages' | 'resumption' | 'updates'
}

/** How a tool server differs from the stateful mock, by a fault or by a conforming variation. */
export interface ToolsDeviation extends DeviationPoints {
  rules?: Partial<ToolsRules>
  choices?: Partial<ToolsChoices & ToolsHosting>
}

export type ToolsFault = Fault<ToolsDeviation>
