import type { Reporter } from 'vitest/node'
import type { Verdict } from '../engine/index.ts'
import './provided.ts'

export interface Gathered {
  verdicts: Map<string, Verdict>
  left: string[]
  /** What went wrong with the suite itself, outside of every check. */
  crashes: string[]
}

/** A vitest reporter that prints nothing: it turns tests back into the verdicts that they carry. */
export function gathering(onVerdict: (verdict: Verdict) => void): {
  reporter: Reporter
  gathered: Gathered
} {
  const gathered: Gathered = { verdicts: new Map(), left: [], crashes: [] }
  const crash = (error: { message: string; stack?: string | undefined }) =>
    gathered.crashes.push(error.stack || error.message)
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const { verdict } = test.meta()
      if (verdict !== undefined) {
        gathered.verdicts.set(verdict.key, verdict)
        onVerdict(verdict)
      } else for (const error of test.result().errors ?? []) crash(error)
    },
    onTestModuleEnd(module) {
      gathered.left.push(...(module.meta().left ?? []))
      for (const error of module.errors()) crash(error)
    },
    onTestRunEnd(_modules, unhandled) {
      for (const error of unhandled) crash(error)
    },
  }
  return { reporter, gathered }
}
