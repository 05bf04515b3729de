import type { Check, ActingCheck } from './check.ts'
import { inOrder, type Ledger, type Message } from './ledger.ts'
import { Blocked, Broken, Cancelled, NotApplicable, NotCovered } from './signals.ts'
import type { Finding, Verdict } from './verdict.ts'

/**
 * A verdict contains at most this many exchanges that the check made itself: the last ones, because
 * they show the failure.
 */
const maxExchanges = 50
/** The limit for the exchanges that produced a value which several checks use. */
const maxSharedExchanges = 20

/** Makes a verdict of a check, with the check's contract, topic, role and level. */
export function verdictOf(
  {
    key,
    requirement,
    entry: { contract, topic, role, level },
    title,
  }: Pick<Check<never, never>, 'key' | 'requirement' | 'entry' | 'title'>,
  rest: Pick<Verdict, 'verdict'> & Partial<Verdict>,
): Verdict {
  return {
    key,
    requirement,
    title,
    contract,
    topic,
    role,
    level,
    expectations: [],
    exchanges: [],
    durationMs: 0,
    ...rest,
  }
}

/**
 * Runs a check and returns its verdict. Never rejects: an unexpected exception becomes the verdict
 * `error`. `sharedMessages` returns the messages that produced the shared values which the check
 * used. The verdicts `pass`, `observed` and `not covered` contain exchanges only if
 * `keepsAllExchanges` is true.
 */
export async function judgeCheck<World, M extends Message>(
  check: ActingCheck<World>,
  world: World,
  ledger: Ledger<M>,
  {
    sharedMessages = () => [],
    keepsAllExchanges = false,
  }: { sharedMessages?: () => readonly Message[]; keepsAllExchanges?: boolean } = {},
): Promise<Verdict> {
  const exchanges = () =>
    inOrder([
      ...lastShared(sharedMessages(), ledger.findings),
      ...ledger.shownMessages.slice(-maxExchanges),
    ]).map((message) => message.record())
  const verdict = (rest: Pick<Verdict, 'verdict'> & Partial<Verdict>): Verdict => {
    const isUneventful =
      rest.verdict === 'pass' || rest.verdict === 'observed' || rest.verdict === 'not covered'
    return verdictOf(check, {
      expectations: ledger.findings,
      exchanges: isUneventful && !keepsAllExchanges ? [] : exchanges(),
      ...(ledger.observations.length > 0 ? { observations: ledger.observations } : {}),
      ...(ledger.difference === undefined ? {} : { differs: ledger.difference }),
      ...rest,
    })
  }
  try {
    await check.run(world)
  } catch (error) {
    // Waits for the concurrent branches of the check. A broken expectation has precedence over
    // `Blocked` and `NotCovered`, even if one of these was thrown first.
    await ledger.idle()
    const broken = ledger.findings.find(({ held }) => !held)
    const endedEarly = error instanceof Blocked || error instanceof NotCovered
    const thrown = endedEarly && broken !== undefined ? new Broken(broken.name) : error
    if (thrown instanceof Broken) {
      if (check.entry.level === 'open')
        return verdict({
          verdict: 'error',
          reason: 'the check of an open requirement judged the target: it must only observe',
        })
      return verdict({ verdict: check.entry.level === 'must' ? 'fail' : 'warn' })
    }
    if (thrown instanceof Blocked) {
      // If the failed step belongs to the requirement that this check tests, the check fails: its
      // own requirement cannot block it.
      if (thrown.root === check.requirement && check.entry.level !== 'open') {
        ledger.findings.push(
          thrown.expected === undefined
            ? findingOfFailedStep(thrown.message)
            : {
                name: 'works',
                held: false,
                expected: thrown.expected,
                received: thrown.message,
              },
        )
        return verdict({ verdict: check.entry.level === 'must' ? 'fail' : 'warn' })
      }
      return verdict({
        verdict: 'blocked',
        blockedBy: thrown.root,
        reason: thrown.message,
        reasonCode: thrown.code,
      })
    }
    if (thrown instanceof Cancelled)
      return verdict({ verdict: 'not covered', reason: thrown.message, reasonCode: 'cancelled' })
    if (thrown instanceof NotCovered)
      return verdict({
        verdict: 'not covered',
        reason: thrown.message,
        reasonCode: thrown.code,
        needs: thrown.needs,
      })
    if (thrown instanceof NotApplicable)
      return verdict({
        verdict: 'not applicable',
        reason: thrown.message,
        reasonCode: 'feature-absent',
      })
    return verdict({
      verdict: 'error',
      reason: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    })
  }
  if (check.entry.level === 'open') {
    return ledger.observations.length > 0
      ? verdict({ verdict: 'observed' })
      : verdict({ verdict: 'error', reason: 'the check observed nothing' })
  }
  if (ledger.findings.length === 0)
    return verdict({ verdict: 'error', reason: 'the check expected nothing' })
  return verdict({ verdict: 'pass' })
}

/** The finding of a check that fails because one of its steps failed. */
export const findingOfFailedStep = (reason: string): Finding => ({
  name: 'works',
  held: false,
  expected: 'success of every step of the check',
  received: `a failed step: ${reason}`,
})

/** The last shared messages, and those earlier ones that did not meet an expectation. */
function lastShared(messages: readonly Message[], findings: readonly Finding[]): Message[] {
  const broken = new Set(findings.filter(({ held }) => !held).map(({ exchange }) => exchange))
  return inOrder(messages).filter(
    ({ number }, index) => index >= messages.length - maxSharedExchanges || broken.has(number),
  )
}
