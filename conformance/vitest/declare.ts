import { afterAll, beforeAll, describe, test, type RunnerTestSuite, type TestContext } from 'vitest'
import type { Verdict } from '../engine/index.ts'
import { explanationOf, topicTitle, type Repeat } from '../report/explanation.ts'
import { loadExpectedFailures, selectForKnown } from '../known-failures.ts'
import { plan, SelectionError, sectionsOf, startSuite } from '../suite.ts'
import { JournalFile } from '../journal-file.ts'
import type { Planned, SuiteRun } from '../suite.ts'
import { secretsOf } from '../target.ts'
import { redactVerdict } from '../verdicts.ts'
import { newRedactor } from '../wire/secrets.ts'
import type { RunInput } from './run-input.ts'
import './provided.ts'

/**
 * Declares a test for each selected check, by contract and topic. The run starts before the first
 * test, with the checks that vitest's own filters select. The tests await its verdicts. After the
 * last test, or if vitest is cancelled, the suite deletes what it created.
 */
export async function declareChecks({
  target,
  selection,
  throwaway,
  keepsAllExchanges = false,
  journal,
  repeat,
}: RunInput): Promise<void> {
  const planned = await plan(selection, sectionsOf(target))
  if (planned.length === 0)
    throw new SelectionError(
      'Nothing to test: no selected check belongs to a section of the target. Select other checks, or add their section to the target.',
    )
  const redact = newRedactor(secretsOf(target))
  const { expected: source } = target.suite
  const expected =
    source === undefined
      ? undefined
      : await loadExpectedFailures(source, sectionsOf(target), planned)
  const cancellation = new AbortController()
  let run: SuiteRun | undefined

  describe('conformance', { concurrent: false, shuffle: false, retry: 0, repeats: 0 }, () => {
    // vitest requires a destructuring pattern here, even if it is empty.
    beforeAll(async ({}, suite) => {
      const wanted = new Set(keysToRun(suite))
      run = await startSuite(target, {
        selection: selectForKnown(selection, planned, expected),
        throwaway,
        journal: journal === undefined ? undefined : new JournalFile(journal, redact),
        keepsAllExchanges,
        signal: cancellation.signal,
        selected: ({ key }) => wanted.has(key),
      })
    }, 0)
    afterAll(async ({}, suite) => {
      const end = await run?.finish()
      const { left = [], proposals = [], protocolVersions = [], unusedAbsent = [] } = end ?? {}
      suite.file.meta.left = left.map(redact.sentence)
      suite.file.meta.proposals = proposals.map(redact)
      suite.file.meta.protocolVersions = protocolVersions.map(redact)
      suite.file.meta.unusedAbsent = unusedAbsent
    }, 0)
    if (expected !== undefined)
      test('known failures still fail', { timeout: 0 }, async ({ task }) => {
        const stale = expected
          .markAll(await run!.verdicts)
          .filter(({ verdict }) => verdict === 'stale')
          .map(({ expectedFailure }) => expectedFailure!.id)
        task.meta.staleEntries = stale
        if (stale.length > 0)
          throw new CheckFailure(
            'fail',
            `no longer fail: ${[...new Set(stale)].join(', ')}. Remove them from ${typeof source === 'string' ? source : 'suite.expected'}.`,
          )
      })
    for (const [name, checks] of byTopic(planned)) {
      describe(name, () => {
        for (const { key } of checks) {
          test(key, { meta: { check: key }, timeout: 0 }, async (context) => {
            context.signal.addEventListener('abort', () => cancellation.abort())
            const raw = redactVerdict(await run!.verdict(key), redact)
            const verdict = expected?.mark(raw) ?? raw
            context.task.meta.verdict = verdict
            await endTest(context, verdict, ({ requirement }) =>
              repeat.replace('{id}', requirement),
            )
          })
        }
      })
    }
  })
}

/** The keys of the checks whose tests vitest is going to run. */
function keysToRun({ tasks }: Pick<RunnerTestSuite, 'tasks'>): string[] {
  return tasks.flatMap((task) => {
    if (task.type === 'suite') return keysToRun(task)
    return task.mode === 'run' && task.meta.check !== undefined ? [task.meta.check] : []
  })
}

function byTopic(planned: readonly Planned[]): Map<string, Planned[]> {
  const topics = new Map<string, Planned[]>()
  for (const check of planned) {
    const name = `${check.contract} › ${topicTitle(check.contract, check.topic)}`
    topics.set(name, [...(topics.get(name) ?? []), check])
  }
  return topics
}

/**
 * Ends a test as its verdict requires. vitest distinguishes only passed, failed and skipped tests.
 */
async function endTest(
  { skip, annotate }: TestContext,
  verdict: Verdict,
  repeat: Repeat,
): Promise<void> {
  const explanation = () =>
    explanationOf(verdict, repeat)
      .map(([label, text]) => `${label.padEnd(9)} ${text}`)
      .join('\n')
  switch (verdict.verdict) {
    case 'fail':
    case 'error':
      throw new CheckFailure(verdict.verdict, explanation())
    case 'blocked':
    case 'not covered':
    case 'not applicable':
      return skip(`${verdict.verdict}: ${verdict.reason ?? ''}`)
    case 'known':
      return skip(`known: ${verdict.expectedFailure?.reason ?? ''}`)
    case 'warn':
      return void (await annotate(explanation(), 'warning'))
    case 'pass':
    case 'stale':
    case 'observed':
      return
  }
}

/**
 * Why a test failed. It has no stack, because a stack would show a place in the suite. The
 * explanation shows which exchange failed.
 */
class CheckFailure extends Error {
  override readonly name: string

  constructor(verdict: 'fail' | 'error', explanation: string) {
    super(`\n${explanation}`)
    this.name = verdict === 'fail' ? 'Violation' : 'Error of the suite itself'
    this.stack = ''
  }
}
