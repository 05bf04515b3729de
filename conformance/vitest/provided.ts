import type { Verdict } from '../engine/index.ts'
import type { RunInput } from './run-input.ts'

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: RunInput
  }
  interface TaskMeta {
    /** On each test: the key of its check, and its verdict. */
    check?: string
    verdict?: Verdict
    /** On the file: what could not be deleted. */
    left?: string[]
    /** On the file: lines of YAML that the target file lacks. */
    proposals?: string[]
  }
}
