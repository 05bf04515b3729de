import type { Fault } from './faults/fault.ts'
import type { AnyDeviation } from './variations/variation.ts'
import { totalsOf, type Totals, type Verdict } from '../engine/index.ts'
import { familyOf } from './families.ts'
import { nullsOf, type Family, type FamilyName } from './family.ts'
import { expectationKey, outcomeOf, type FaultOutcome } from './outcome.ts'
import { startNullTarget } from './null-targets/common.ts'
import { judged, narrowed, settings, tryServer } from './trial.ts'

/** A piece of the proof that a worker can do by itself. */
export type Job = { family: FamilyName } & (
  | { kind: 'reference' }
  | { kind: 'fault'; name: string }
  /** `readers` are the keys of the checks that act: those that read the mutated message. */
  | { kind: 'mutant'; name: string; readers: readonly string[] }
  | { kind: 'variation'; name: string }
  | { kind: 'null'; name: string }
)

export interface Reference {
  kind: 'reference'
  family: FamilyName
  totals: Totals
  unsound: string[]
  /** Every expectation that is ever judged. */
  expectations: string[]
  /** For each kind of message the checks that receive it. */
  readers: Record<string, string[]>
}

export interface VariationOutcome {
  kind: 'variation'
  family: FamilyName
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
  family: FamilyName
  name: string
  totals: Totals
  roots: string[]
}

export type Result =
  Reference | ({ kind: 'fault' | 'mutant' } & FaultOutcome) | VariationOutcome | NullOutcome

const told = ({ key, reason, expectations }: Verdict) => {
  const broken = expectations.find(({ held }) => !held)
  return `${key}: ${broken === undefined ? (reason?.split('\n')[0] ?? '') : `expected ${broken.expected}, received ${broken.received}`}`
}

/** Does one job. */
export async function work(job: Job): Promise<Result> {
  const family = familyOf(job.family)
  switch (job.kind) {
    case 'reference':
      return reference(family)
    case 'fault':
      return { kind: 'fault', ...(await faulty(family, named(family.faults, job.name))) }
    case 'mutant': {
      const acting = new Set(job.readers)
      const outcome = await faulty(family, named(family.mutants, job.name), {
        selected: (check) => check.kind === 'watch' || acting.has(check.key),
        feeding: (key) => acting.has(key),
      })
      return { kind: 'mutant', ...outcome }
    }
    case 'variation':
      return variation(family, job.name)
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
  const verdicts: Verdict[] = []
  for (const choices of family.references ?? [{}])
    verdicts.push(
      ...(await tryServer(family, {
        choices,
        heard: (key, { kind }) => (readers[kind] ??= new Set()).add(key),
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
    readers: Object.fromEntries(
      Object.entries(readers).map(([message, keys]) => [message, [...keys]]),
    ),
  }
}

async function variation(family: Family, name: string): Promise<VariationOutcome> {
  const { choices = {}, deviation, warns = [] } = named(family.configurations, name)
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
