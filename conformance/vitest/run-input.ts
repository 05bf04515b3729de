import type { Selection } from '../suite.ts'
import type { Target } from '../target.ts'

/**
 * The input of a run in vitest. Plain data, because it is sent to the worker that runs the tests.
 */
export interface RunInput {
  target: Target
  selection: Selection
  /** The target ends with the run, so nothing needs to be deleted there. */
  throwaway: boolean
  /** Whether the verdicts of passed checks contain exchanges too. */
  keepsAllExchanges?: boolean
  /** A command line that checks one requirement again; `{id}` is replaced by its id. */
  repeat: string
}
