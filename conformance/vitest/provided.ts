import type { Verdict } from '../engine/index.ts'
import type { RunInput } from './run-input.ts'

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: RunInput
  }
  interface TaskMeta {
    /** Set for each test: the key of its check, and its verdict in the next member. */
    check?: string
    verdict?: Verdict
    /** Set for the test that fails if known failures are stale: those entries. */
    staleEntries?: string[]
    /** Set for the test file: descriptions of what the suite created and could not delete. */
    left?: string[]
    /** Set for the test file: lines of YAML that the suite suggests for the target file. */
    proposals?: string[]
    /** Set for the test file: the versions of the protocol that were negotiated. */
    protocolVersions?: string[]
    /** Set for the test file: the entries of `suite.absent` without any effect. */
    unusedAbsent?: string[]
  }
}
