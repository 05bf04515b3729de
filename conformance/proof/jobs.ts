import { faults } from '../../mocks/faults/index.ts'
import { mutants } from '../../mocks/faults/images/mutants.ts'
import { configurations } from '../../mocks/variations/index.ts'
import { clockOf, totalsOf, type Totals, type Verdict } from '../engine/index.ts'
import { startSuite } from '../suite.ts'
import { expectationKey, outcomeOf, type FaultOutcome } from './outcome.ts'
import { nullTargets, startNullTarget } from './nulls.ts'
import { tryServer } from './trial.ts'

/** A piece of the proof that a worker can do by itself. */
export type Job =
  | { kind: 'reference' }
  | { kind: 'fault'; name: string }
  /** `readers` are the keys of the checks that act: those that read the mutated message. */
  | { kind: 'mutant'; name: string; readers: readonly string[] }
  | { kind: 'variation'; name: string }
  | { kind: 'null'; name: string }

export interface Reference {
  kind: 'reference'
  totals: Totals
  unsound: string[]
  /** Every expectation that is ever judged. */
  expectations: string[]
  /** For each kind of message (operation and outcome) the checks that receive it. */
  readers: Record<string, string[]>
}

export interface VariationOutcome {
  kind: 'variation'
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
  name: string
  totals: Totals
  roots: string[]
}

export type Result = Reference | ({ kind: 'fault' | 'mutant' } & FaultOutcome) | VariationOutcome | NullOutcome

const told = ({ key, reason, expectations }: Verdict) => {
  const broken = expectations.find(({ held }) => !held)
  return `${key}: ${broken === undefined ? (reason?.split('\n')[0] ?? '') : `expected ${broken.expected}, received ${broken.received}`}`
}

/** Does one job. */
export async function work(job: Job): Promise<Result> {
  switch (job.kind) {
    case 'reference':
      return reference()
    case 'fault': {
      const fault = named(faults, job.name)
      let hits = 0
      const verdicts = await tryServer({ deviation: fault.make(() => (hits += 1)) })
      return { kind: 'fault', ...outcomeOf(fault, hits, verdicts) }
    }
    case 'mutant': {
      const mutant = named(mutants, job.name)
      const acting = new Set(job.readers)
      let hits = 0
      const verdicts = await tryServer({
        deviation: mutant.make(() => (hits += 1)),
        selected: (check) => check.kind === 'watch' || acting.has(check.key),
        feeding: (key) => acting.has(key),
      })
      return { kind: 'mutant', ...outcomeOf(mutant, hits, verdicts) }
    }
    case 'variation':
      return variation(job.name)
    case 'null':
      return nullTarget(job.name)
  }
}

async function reference(): Promise<Reference> {
  const readers: Record<string, Set<string>> = {}
  const verdicts = await tryServer({
    heard: (key, { operation, status = 0 }) => (readers[`${operation} ${status < 300 ? 'success' : 'failure'}`] ??= new Set()).add(key),
  })
  return {
    kind: 'reference',
    totals: totalsOf(verdicts),
    unsound: verdicts.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed').map(told),
    expectations: [...new Set(verdicts.flatMap(({ key, level, expectations }) => (level === 'open' ? [] : expectations.map(({ name }) => expectationKey(key, name)))))],
    readers: Object.fromEntries(Object.entries(readers).map(([message, keys]) => [message, [...keys]])),
  }
}

async function variation(name: string): Promise<VariationOutcome> {
  const { choices = {}, deviation, warns = [] } = named(configurations, name)
  const verdicts = await tryServer({ choices, ...(deviation === undefined ? {} : { deviation }) })
  const of = (...kinds: string[]) => verdicts.filter(({ verdict }) => kinds.includes(verdict))
  return {
    kind: 'variation',
    name,
    totals: totalsOf(verdicts),
    failures: of('fail', 'error', 'blocked').map(told),
    warnings: of('warn').map(({ requirement }) => requirement),
    unwarranted: of('warn').filter(({ requirement }) => !warns.includes(requirement)).map(told),
    uncovered: of('not covered').map(({ key }) => key),
  }
}

async function nullTarget(name: string): Promise<NullOutcome> {
  const { origin, close } = await startNullTarget(named(nullTargets, name))
  try {
    const images = { url: `${origin}/client/v4`, account: 'acc-1', token: 'a-token', limitedToken: 'a-limited-token', batch: { url: origin, token: 'a-batch-token' } }
    const more = { delivery: origin, maxFileBytes: 65536, bulk: true, flexibleVariants: false, state: true, clock: `${origin}/clock` }
    const suite = { pictures: {}, settle: 0, pace: 0, concurrency: 16, timeout: 10_000 }
    const run = startSuite({ images: { ...images, ...more }, suite }, { clock: clockOf(20) })
    const verdicts = await run.verdicts
    await run.finish({ throwaway: true })
    return { kind: 'null', name, totals: totalsOf(verdicts), roots: [...new Set(verdicts.flatMap(({ blockedBy }) => blockedBy ?? []))] }
  } finally {
    await close()
  }
}

function named<T extends { readonly name: string }>(list: readonly T[], name: string): T {
  const found = list.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`nothing is called ${name}`)
  return found
}
