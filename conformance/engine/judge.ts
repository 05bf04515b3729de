import type { Check, PlayedCheck } from './check.ts'
import type { Ledger, Message } from './ledger.ts'
import { Blocked, Broken, CalledOff, NotApplicable, NotCovered } from './signals.ts'
import type { Verdict } from './verdict.ts'

/** How many of a check's exchanges its verdict shows: the last ones, where it broke. */
const shown = 50

/** A verdict with everything that the catalogue knows filled in. */
export function verdictOf(
  {
    key,
    requirement,
    row,
    title,
  }: Pick<Check<never, never>, 'key' | 'requirement' | 'row' | 'title'>,
  rest: Pick<Verdict, 'verdict'> & Partial<Verdict>,
): Verdict {
  const { contract, topic, role, level } = row
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

/** Plays a check and says what came of it. Never rejects: what is thrown is a verdict too, at worst an `error` of the suite. */
export async function judgeCheck<World, M extends Message>(
  check: PlayedCheck<World>,
  world: World,
  ledger: Ledger<M>,
): Promise<Verdict> {
  const verdict = (rest: Pick<Verdict, 'verdict'> & Partial<Verdict>): Verdict => {
    const quiet =
      rest.verdict === 'pass' || rest.verdict === 'observed' || rest.verdict === 'not covered'
    return verdictOf(check, {
      expectations: ledger.findings,
      exchanges: quiet ? [] : ledger.messages.slice(-shown).map((message) => message.record()),
      ...(ledger.observations.length > 0 ? { observations: ledger.observations } : {}),
      ...(ledger.differs === undefined ? {} : { differs: ledger.differs }),
      ...rest,
    })
  }
  try {
    await check.play(world)
  } catch (caught) {
    // Branches that play beside the one that broke are heard to their end, and a broken expectation counts before a block, whichever came first.
    await ledger.idle()
    const broke = ledger.findings.find(({ held }) => !held)
    const given = caught instanceof Blocked || caught instanceof NotCovered
    const thrown = given && broke !== undefined ? new Broken(broke.name) : caught
    if (thrown instanceof Broken) {
      if (check.row.level === 'open')
        return verdict({
          verdict: 'error',
          reason: 'an open point was judged: it can only be observed',
        })
      return verdict({ verdict: check.row.level === 'must' ? 'fail' : 'warn' })
    }
    if (thrown instanceof Blocked) {
      // A check that is its own ground cannot hide behind it.
      if (thrown.root === check.requirement && check.row.level !== 'open') {
        ledger.findings.push({
          name: 'works',
          held: false,
          expected: 'a success',
          received: thrown.message,
        })
        return verdict({ verdict: check.row.level === 'must' ? 'fail' : 'warn' })
      }
      return verdict({
        verdict: 'blocked',
        blockedBy: thrown.root,
        reason: thrown.message,
        reasonCode: thrown.code,
      })
    }
    if (thrown instanceof CalledOff)
      return verdict({ verdict: 'not covered', reason: thrown.message, reasonCode: 'called-off' })
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
  if (check.row.level === 'open') {
    return ledger.observations.length > 0
      ? verdict({ verdict: 'observed' })
      : verdict({ verdict: 'error', reason: 'the check observed nothing' })
  }
  if (ledger.findings.length === 0)
    return verdict({ verdict: 'error', reason: 'the check expected nothing' })
  return verdict({ verdict: 'pass' })
}
