import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'
import type { Verdict } from '../engine/index.ts'
import type { Judgement } from '../judge.ts'
import './provided.ts'

/**
 * Functions that `JudgementReporter` calls while vitest runs the checks. In watch mode, it calls
 * them in each run.
 */
export interface RunListener {
  start(): void
  verdict(verdict: Verdict): void
  end(judgement: Judgement, isCancelled: boolean): void
}

/** A vitest reporter that prints nothing. It reads the verdicts from the tests. */
export class JudgementReporter implements Reporter {
  private readonly listener: RunListener
  private readonly init: (vitest: Vitest) => void
  private judgement = emptyJudgement()

  constructor(listener: RunListener, init: (vitest: Vitest) => void) {
    this.listener = listener
    this.init = init
  }

  onInit(vitest: Vitest): void {
    this.init(vitest)
  }

  onTestRunStart(): void {
    this.judgement = emptyJudgement()
    this.listener.start()
  }

  onTestCaseResult(test: TestCase): void {
    const { verdict, staleEntries } = test.meta()
    // The verdicts contain the stale entries.
    if (staleEntries !== undefined) return
    if (verdict === undefined) return this.crash(test.result().errors ?? [])
    this.judgement.verdicts.push(verdict)
    this.listener.verdict(verdict)
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.crash(suite.errors())
  }

  onTestModuleEnd(module: TestModule): void {
    const meta = module.meta()
    const { left = [], proposals = [], protocolVersions = [], unusedAbsent = [] } = meta
    this.judgement.left.push(...left)
    this.judgement.proposals.push(...proposals)
    this.judgement.protocolVersions.push(...protocolVersions)
    this.judgement.unusedAbsent.push(...unusedAbsent)
    this.crash(module.errors())
  }

  onTestRunEnd(
    _modules: readonly TestModule[],
    unhandled: readonly CrashError[],
    reason: 'passed' | 'interrupted' | 'failed',
  ): void {
    this.crash(unhandled)
    const { verdicts, crashes } = this.judgement
    if (verdicts.length === 0 && crashes.length === 0 && reason !== 'interrupted')
      crashes.push(
        'No check was judged, because -t does not match the name of any check. List the names with: npx touchstone test --list',
      )
    this.listener.end(this.judgement, reason === 'interrupted')
  }

  private crash(errors: readonly CrashError[]): void {
    this.judgement.crashes.push(...errors.map(({ message, stack }) => stack || message))
  }
}

const emptyJudgement = (): Judgement => ({
  verdicts: [],
  left: [],
  proposals: [],
  protocolVersions: [],
  unusedAbsent: [],
  crashes: [],
})

interface CrashError {
  message: string
  stack?: string | undefined
}
