import type { Fault } from './faults/fault.ts'
import type { AnyDeviation } from './variations/variation.ts'
import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import { totalsOf, processClock, type Totals, type Verdict } from '../engine/index.ts'
import type { SuiteOptions } from '../suite.ts'
import { DoorRecord } from './doors.ts'
import { findBlindServer, type BlindServer, type BlindSwitch } from './blind-servers/index.ts'
import { buildConfiguration, type ValueChoice } from './variations/configurations.ts'
import { findFamily } from './families.ts'
import { nullTargetsOf, type Family } from './family.ts'
import { expectationKey, newFaultOutcome, type FaultOutcome } from './outcome.ts'
import { startNullTarget } from './null-targets/common.ts'
import { suiteDefaults } from '../target-file/index.ts'
import { judgeTarget, narrowToContract, proofSettings, judgeServer, seedOf } from './trial.ts'

/** A part of the proof that one worker can run. `round` selects another seed; by default 0. */
export type Job =
  | ({ family: string } & (
      | { kind: 'reference'; round?: number }
      /**
       * `checks` selects the checks that run. By default, these are all checks of the family or, if
       * the family names a contract, the checks of the topics whose requirements the fault
       * violates.
       */
      | { kind: 'fault'; name: string; checks?: CheckSelection }
      /**
       * `readers` are keys of acting checks that receive the mutated message. Only these and all
       * watching checks run.
       */
      | { kind: 'mutant'; name: string; readers: readonly string[] }
      | { kind: 'variation'; name: string; choice: ValueChoice }
      | { kind: 'null'; name: string }
    ))
  /** `name` is a switch of the blind implementation. */
  | { kind: 'blind'; implementation: string; name: string }

/**
 * Keys of checks. The `selected` checks judge a broken server. The `sending` checks send the
 * messages that watching checks among the selected ones examine.
 */
export interface CheckSelection {
  selected: readonly string[]
  sending: readonly string[]
}

export interface Reference {
  kind: 'reference'
  family: string
  totals: Totals
  /**
   * Checks with a verdict that a reference must not get. For each, its first unmet expectation, or
   * the reason of the verdict.
   */
  unsound: string[]
  /** Keys of all expectations that the checks of the family's contract judged. */
  expectations: string[]
  /** The checks that judged this family. */
  checks: { key: string; kind: 'act' | 'watch'; requirement: RequirementId }[]
  /** Keys of the doors at which the checks examined a requirement. */
  doors: string[]
  /** For each kind of message, the checks that received a message of this kind. */
  readers: Record<string, string[]>
  /**
   * For each watching check and kind of message, the checks that caused the messages which the
   * watching check examined.
   */
  sendersByCheck: Record<string, Record<string, string[]>>
}

export interface VariationOutcome {
  kind: 'variation'
  family: string
  name: string
  totals: Totals
  /**
   * Checks that failed, had an error or were blocked. For each, its first unmet expectation, or the
   * reason of the verdict.
   */
  failures: string[]
  /** Requirements whose checks warned. */
  warnings: string[]
  /** Warnings about requirements that this server meets. */
  falseWarnings: string[]
  /** Keys of the checks that were not covered. */
  notCovered: string[]
}

export interface NullTargetOutcome {
  kind: 'null'
  family: string
  name: string
  totals: Totals
  /** The requirements because of which checks were blocked. */
  roots: string[]
}

export interface BlindOutcome {
  kind: 'blind'
  /** The name of the blind implementation. */
  implementation: string
  /** The name of the switch. */
  name: string
  switchKind: BlindSwitch['kind']
  /**
   * Requirements whose checks failed or warned. For a choice, also those whose checks were blocked
   * or had an error.
   */
  requirements: string[]
  /** For a choice, what the checks found. */
  details: string[]
}

export type JobResult =
  | Reference
  | ({ kind: 'fault' | 'mutant' } & FaultOutcome)
  | VariationOutcome
  | NullTargetOutcome
  | BlindOutcome

/**
 * Returns the key of the check with its first unmet expectation, or with the reason of its verdict.
 */
export const describeFailure = ({ key, reason, expectations }: Verdict) => {
  const unmet = expectations.find(({ held }) => !held)
  return unmet === undefined
    ? `${key}: ${reason?.split('\n')[0] ?? ''}`
    : `${key}: expected ${unmet.expected}, received ${unmet.received}`
}

/** Runs a job in this thread. */
export async function runJob(job: Job): Promise<JobResult> {
  if (job.kind === 'blind') return judgeBlindServer(job.implementation, job.name)
  const family = findFamily(job.family)
  switch (job.kind) {
    case 'reference':
      return judgeReference(family, job.round)
    case 'fault': {
      const fault = findByName(family.faults, job.name)
      return { kind: 'fault', ...(await judgeFault(family, fault, toRunOptions(job.checks))) }
    }
    case 'mutant': {
      const readers = new Set(job.readers)
      const outcome = await judgeFault(family, findByName(family.mutants, job.name), {
        selected: (check) => check.kind === 'watch' || readers.has(check.key),
        mayCauseMessages: (key) => readers.has(key),
      })
      return { kind: 'mutant', ...outcome }
    }
    case 'variation':
      return judgeVariation(family, job.name, job.choice)
    case 'null':
      return judgeNullTarget(family, job.name)
  }
}

async function judgeFault(
  family: Family,
  fault: Fault<AnyDeviation>,
  options: Pick<SuiteOptions, 'selected' | 'mayCauseMessages'> = {},
): Promise<FaultOutcome> {
  let hits = 0
  const doors = new DoorRecord(family)
  const { selected = () => true, ...rest } = {
    ...narrowToContract(family, fault.violates),
    ...options,
  }
  const verdicts = await judgeServer(family, {
    ...rest,
    selected(check) {
      doors.add(check)
      return selected(check)
    },
    onMessage: doors.onMessage,
    seed: seedOf(fault.name),
    deviation: fault.make(() => (hits += 1)),
  })
  return newFaultOutcome(fault, hits, verdicts, doors.failedDoors(verdicts))
}

async function judgeReference(family: Family, round = 0): Promise<Reference> {
  const readers: Record<string, Set<string>> = {}
  const sendersByCheck: Record<string, Record<string, Set<string>>> = {}
  const checks = new Map<string, Reference['checks'][number]>()
  const verdicts: Verdict[] = []
  const doors = new DoorRecord(family)
  for (const choices of family.references ?? [{}])
    verdicts.push(
      ...(await judgeServer(family, {
        seed: seedOf(round === 0 ? family.name : `${family.name} ${round}`),
        choices,
        selected(check) {
          const { key, kind, requirement } = check
          checks.set(key, { key, kind, requirement })
          doors.add(check)
          return true
        },
        onMessage(key, message, examined) {
          doors.onMessage(key, message, examined)
          const { kind } = message
          ;(readers[kind] ??= new Set()).add(key)
          for (const watch of examined.keys())
            ((sendersByCheck[watch] ??= {})[kind] ??= new Set()).add(key)
        },
      })),
    )
  // Expectations of other contracts are tested by the faults of other families.
  const ownVerdicts = verdicts.filter(({ contract }) => contract === (family.contract ?? contract))
  // "not covered" and "not applicable" are allowed if another reference covers the check. "not
  // covered" is also allowed if other families cover the check, because it belongs to another
  // contract; "not applicable", because some requirements apply to one authentication pattern only.
  const coveredKeys = new Set(
    verdicts
      .filter(({ verdict }) => verdict === 'pass' || verdict === 'observed')
      .map(({ key }) => key),
  )
  const isSound = ({ verdict, key, contract }: Verdict) =>
    verdict === 'pass' ||
    verdict === 'observed' ||
    ((verdict === 'not applicable' || verdict === 'not covered') && coveredKeys.has(key)) ||
    (verdict === 'not applicable' && (contract === 'auth' || family.contract !== undefined)) ||
    (verdict === 'not covered' && family.contract !== undefined && contract !== family.contract)
  return {
    kind: 'reference',
    family: family.name,
    totals: totalsOf(verdicts),
    unsound: verdicts.filter((verdict) => !isSound(verdict)).map(describeFailure),
    expectations: [
      ...new Set(
        ownVerdicts.flatMap(({ key, level, expectations }) =>
          level === 'open' ? [] : expectations.map(({ name }) => expectationKey(key, name)),
        ),
      ),
    ],
    checks: [...checks.values()],
    doors: doors.examinedDoors(ownVerdicts),
    readers: toArrays(readers),
    sendersByCheck: Object.fromEntries(
      Object.entries(sendersByCheck).map(([watch, byKind]) => [watch, toArrays(byKind)]),
    ),
  }
}

const toArrays = (sets: Readonly<Record<string, ReadonlySet<string>>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(sets).map(([name, keys]) => [name, [...keys]]))

function toRunOptions(
  checks: CheckSelection | undefined,
): Pick<SuiteOptions, 'selected' | 'mayCauseMessages'> {
  if (checks === undefined) return {}
  const [selected, sending] = [new Set(checks.selected), new Set(checks.sending)]
  return { selected: ({ key }) => selected.has(key), mayCauseMessages: (key) => sending.has(key) }
}

async function judgeVariation(
  family: Family,
  name: string,
  choice: ValueChoice,
): Promise<VariationOutcome> {
  const { choices = {}, deviation, unmet = [] } = buildConfiguration(family.factors, choice)
  const verdicts = await judgeServer(family, {
    ...narrowToContract(family),
    seed: seedOf(name),
    choices,
    // Some combinations make a server slow, and several trials share the processors.
    patience: 60_000,
    ...(deviation === undefined ? {} : { deviation }),
  })
  const withVerdict = (...kinds: string[]) =>
    verdicts.filter(({ verdict }) => kinds.includes(verdict))
  return {
    kind: 'variation',
    family: family.name,
    name,
    totals: totalsOf(verdicts),
    failures: withVerdict('fail', 'error', 'blocked').map(describeFailure),
    warnings: withVerdict('warn').map(({ requirement }) => requirement),
    falseWarnings: withVerdict('warn')
      .filter(({ requirement }) => !unmet.includes(requirement))
      .map(describeFailure),
    notCovered: withVerdict('not covered').map(({ key }) => key),
  }
}

/**
 * After this many milliseconds, the run against a blind implementation is cancelled. A server may
 * be slow by itself, for example if it waits before each message of a stream.
 */
const maxBlindMs = 300_000

/** Judges a blind implementation with one switch. */
async function judgeBlindServer(implementation: string, name: string): Promise<BlindOutcome> {
  const { switches, contract, skipped, unmet, realTime, start } = findBlindServer(implementation)
  const { kind: switchKind } = findByName(switches, name)
  const isRealTime = realTime === 'all' || realTime.includes(name)
  const { target, suite, close } = await start([name])
  try {
    const timeout = isRealTime ? suiteDefaults.timeout : proofSettings.timeout
    const verdicts = await judgeTarget(
      { ...target, suite: { ...proofSettings, timeout, ...suite, seed: seedOf(name) } },
      {
        selected: ({ requirement }) =>
          !skipped.includes(requirement) &&
          (contract === undefined || requirements[requirement].contract === contract),
        // Violations that were found by then count. The remaining checks are not covered.
        signal: AbortSignal.timeout(maxBlindMs),
        ...(isRealTime ? { clock: processClock } : {}),
      },
    )
    const outcomes =
      switchKind === 'choice' ? ['fail', 'warn', 'error', 'blocked'] : ['fail', 'warn']
    const found = verdicts.filter(
      (verdict) => outcomes.includes(verdict.verdict) && !isKnownUnmet(verdict, unmet),
    )
    return {
      kind: 'blind',
      implementation,
      name,
      switchKind,
      requirements: [...new Set(found.map(({ requirement }) => requirement))],
      details: switchKind === 'choice' ? found.slice(0, 5).map(describeFailure) : [],
    }
  } finally {
    await close()
  }
}

/** Whether a check is not met only because of expectations that the server never meets. */
function isKnownUnmet({ key, expectations }: Verdict, unmet: BlindServer['unmet'] = {}): boolean {
  const broken = expectations.filter(({ held }) => !held)
  return broken.length > 0 && broken.every(({ name }) => expectationKey(key, name) in unmet)
}

async function judgeNullTarget(family: Family, name: string): Promise<NullTargetOutcome> {
  const nullTarget = findByName(nullTargetsOf(family), name)
  const { origin, close } = await startNullTarget(nullTarget)
  const { adapt = (target) => target } = nullTarget
  try {
    const verdicts = await judgeTarget(
      {
        ...(nullTarget.target ?? adapt(family.completeTarget(origin))),
        suite: { ...proofSettings, pictures: {}, timeout: 10_000 },
      },
      narrowToContract(family),
    )
    return {
      kind: 'null',
      family: family.name,
      name,
      totals: totalsOf(verdicts),
      roots: [...new Set(verdicts.flatMap(({ blockedBy }) => blockedBy ?? []))],
    }
  } finally {
    await close()
  }
}

function findByName<T extends { readonly name: string }>(list: readonly T[], name: string): T {
  const found = list.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}
