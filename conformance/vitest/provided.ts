import type { Verdict } from '../engine/index.ts'
import type { Selection } from '../suite.ts'
import type { Target } from '../target.ts'

/** What the main process hands to the worker in which the checks run. */
export interface Commission {
  target: Target
  selection: Selection
  /** The target ends with the run: nothing needs to be deleted there. */
  throwaway: boolean
  /** Name of the broadcast channel on which any message calls the run off. */
  channel: string
}

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: Commission
  }
  interface TaskMeta {
    /** On each test: what it is about, and what came of it. */
    requirement?: string
    verdict?: Verdict
    /** On the file: what could not be deleted. */
    left?: string[]
  }
}
