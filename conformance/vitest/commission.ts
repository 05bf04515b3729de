import type { Selection } from '../suite.ts'
import type { Target } from '../target.ts'

/** What is judged in vitest. Plain data: it travels to the worker in which the tests run. */
export interface Commission {
  target: Target
  selection: Selection
  /** The target ends with the run: nothing needs to be deleted there. */
  throwaway: boolean
  /** A command line that judges one requirement again; `{id}` stands for its id. */
  repeat: string
}
