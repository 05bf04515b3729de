import type { Fault } from './faults/fault.ts'
import type { AnyDeviation } from './variations/variation.ts'
import type { RequirementId } from '../../generated/requirements/index.ts'
import { totalsOf, type Totals, type Verdict } from '../engine/index.ts'
import type { SuiteOptions } from '../suite.ts'
import { configurationOf, type LevelChoice } from './variations/configurations.ts'
import { familyOf } from './families.ts'
import { nullsOf, type Family } from './family.ts'
import { expectationKey, outcomeOf, type FaultOutcome } from './outcome.ts'
import { startNullTarget } from './null-targets/common.ts'
import { judged, narrowed, settings, tryServer } from './trial.ts'

/** A piece of the proof that a worker can do by itself. */
export type Job = { family: string } & (
  | { kind: 'reference' }
  /** `judges` narrows the run; by all checks of the family where it is not given. */
  | { kind: 'fault'; name: string; judges?: Judges }
  /** `readers` are the keys of the checks that act: those that read the mutated message. */
  | { kind: 'mutant'; name: string; readers: readonly string[] }
  | { kind: 'variation'; name: string; choice: LevelChoice }
  | { kind: 'null'; name: string }
)

/** Keys of the checks that judge a broken server, and of those that send for them. */
export interface Judges {
  selected: readonly string[]
  feeding: readonly string[]
}

export interface Reference {
  kind: 'reference'
  family: string
  totals: Totals
  unsound: string[]
  /** Every expectation that is ever judged. */
  expectations: string[]
  /** The checks that judge this family. */
  checks: { key: string; kind: 'act' | 'watch'; requirement: RequirementId }[]
  /** For each kind of message the checks that receive it. */
  readers: Record<string, string[]>
  /** For each watching check, by the kind of message, the checks that cause what it examines. */
  feeders: Record<string, Record<string, string[]>>
}

export interface VariationOutcome {
  kind: 'variation'
  family: string
  name: string
  totals: Totals
  /** Checks that failed or erred, with what they received. */
  failures: string[]
  warnings: string[]
  /** Warnings of rows that this server does not break. */
  unwarranted: string[]
  /** Checks that were not covered, beyond those of the reference. */
  uncovered: string[]
}

export interface NullOutcome {
  kind: 'null'
  family: string
  name: string
  totals: Totals
  roots: string[]
}

export type JobResult =
  Reference | ({ kind: 'fault' | 'mutant' } & FaultOutcome) | VariationOutcome | NullOutcome

const told = ({ key, reason, expectations }: Verdict) => {
  const broken = expectations.find(({ held }) => !held)
  return `${key}: ${broken === undefined ? (reason?.split('\n')[0] ?? '') : `expected ${broken.expected}, received ${broken.received}`}`
}

/** Does one job. */
export async function work(job: Job): Promise<JobResult> {
  const family = familyOf(job.family)
  switch (job.kind) {
    case 'reference':
      return reference(family)
    case 'fault': {
      const fault = named(family.faults, job.name)
      return { kind: 'fault', ...(await faulty(family, fault, only(job.judges))) }
    }
    case 'mutant': {
      const acting = new Set(job.readers)
      const outcome = await faulty(family, named(family.mutants, job.name), {
        selected: (check) => check.kind === 'watch' || acting.has(check.key),
        feeding: (key) => acting.has(key),
      })
      return { kind: 'mutant', ...outcome }
    }
    case 'variation':
      return variation(family, job.name, job.choice)
    case 'null':
      return nullTarget(family, job.name)
  }
}

async function faulty(
  family: Family,
  fault: Fault<AnyDeviation>,
  options: Parameters<typeof tryServer>[1] = {},
): Promise<FaultOutcome> {
  let hits = 0
  const verdicts = await tryServer(family, {
    ...narrowed(family, fault.violates),
    ...options,
    deviation: fault.make(() => (hits += 1)),
  })
  return outcomeOf(fault, hits, verdicts)
}

async function reference(family: Family): Promise<Reference> {
  const readers: Record<string, Set<string>> = {}
  const feeders: Record<string, Record<string, Set<string>>> = {}
  const checks = new Map<string, Reference['checks'][number]>()
  const verdicts: Verdict[] = []
  for (const choices of family.references ?? [{}])
    verdicts.push(
      ...(await tryServer(family, {
        choices,
        selected: ({ key, kind, requirement }) =>
          checks.set(key, { key, kind, requirement }) !== undefined,
        heard: (key, { kind }, watches) => {
          ;(readers[kind] ??= new Set()).add(key)
          for (const watch of watches) ((feeders[watch] ??= {})[kind] ??= new Set()).add(key)
        },
      })),
    )
  // What other families' checks expect is broken by the faults of those.
  const own = verdicts.filter(({ contract }) => contract === (family.contract ?? contract))
  // What one reference cannot show another one does; the rows of other families are theirs to show. Each pattern of authentication has rows of its own.
  const shown = new Set(
    verdicts
      .filter(({ verdict }) => verdict === 'pass' || verdict === 'observed')
      .map(({ key }) => key),
  )
  const isFine = ({ verdict, key, contract }: Verdict) =>
    verdict === 'pass' ||
    verdict === 'observed' ||
    (verdict === 'not applicable' && contract === 'auth') ||
    (family.contract !== undefined &&
      (verdict === 'not applicable' ||
        (verdict === 'not covered' && (shown.has(key) || contract !== family.contract))))
  return {
    kind: 'reference',
    family: family.name,
    totals: totalsOf(verdicts),
    unsound: verdicts.filter((verdict) => !isFine(verdict)).map(told),
    expectations: [
      ...new Set(
        own.flatMap(({ key, level, expectations }) =>
          level === 'open' ? [] : expectations.map(({ name }) => expectationKey(key, name)),
        ),
      ),
    ],
    checks: [...checks.values()],
    readers: listed(readers),
    feeders: Object.fromEntries(
      Object.entries(feeders).map(([watch, byKind]) => [watch, listed(byKind)]),
    ),
  }
}

const listed = (sets: Readonly<Record<string, ReadonlySet<string>>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(sets).map(([name, keys]) => [name, [...keys]]))

function only(judges: Judges | undefined): Pick<SuiteOptions, 'selected' | 'feeding'> {
  if (judges === undefined) return {}
  const [selected, feeding] = [new Set(judges.selected), new Set(judges.feeding)]
  return { selected: ({ key }) => selected.has(key), feeding: (key) => feeding.has(key) }
}

async function variation(
  family: Family,
  name: string,
  choice: LevelChoice,
): Promise<VariationOutcome> {
  const { choices = {}, deviation, warns = [] } = configurationOf(family.factors, choice)
  const verdicts = await tryServer(family, {
    ...narrowed(family),
    choices,
    ...(deviation === undefined ? {} : { deviation }),
  })
  const of = (...kinds: string[]) => verdicts.filter(({ verdict }) => kinds.includes(verdict))
  return {
    kind: 'variation',
    family: family.name,
    name,
    totals: totalsOf(verdicts),
    failures: of('fail', 'error', 'blocked').map(told),
    warnings: of('warn').map(({ requirement }) => requirement),
    unwarranted: of('warn')
      .filter(({ requirement }) => !warns.includes(requirement))
      .map(told),
    uncovered: of('not covered').map(({ key }) => key),
  }
}

async function nullTarget(family: Family, name: string): Promise<NullOutcome> {
  const nothing = named(nullsOf(family), name)
  const { origin, close } = await startNullTarget(nothing)
  try {
    const verdicts = await judged(
      {
        ...(nothing.target ?? family.nullTarget(origin)),
        suite: { ...settings, pictures: {}, timeout: 10_000 },
      },
      narrowed(family),
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

function named<T extends { readonly name: string }>(list: readonly T[], name: string): T {
  const found = list.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`nothing is called ${name}`)
  return found
}
