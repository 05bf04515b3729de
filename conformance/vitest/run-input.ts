import type { Selection } from '../suite.ts'
import type { Target } from '../target.ts'

/**
 * The input of a run in vitest. It is plain data, because it is sent to the worker that runs the
 * tests.
 */
export interface RunInput {
  target: Target
  selection: Selection
  /** Whether the target ends with the run, so that nothing needs to be deleted there. */
  throwaway: boolean
  /** Whether the verdicts of passed checks contain exchanges too. */
  keepsAllExchanges?: boolean
  /** The file of the journal; by default, none is kept. */
  journal?: string | undefined
  /** A command line that repeats the checks of a requirement, whose id replaces `{id}`. */
  repeat: string
}
