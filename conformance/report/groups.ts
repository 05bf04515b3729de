import type { Verdict } from '../engine/index.ts'
import type { Result } from './result.ts'
import { count } from './story.ts'

export interface VerdictGroup {
  title: string
  /** What would help, or what is known of the cause. */
  hint?: string
  verdicts: Verdict[]
}

/** Whatever has a topic, by topic, in the order in which topics first appear. */
export function byTopic<T extends { contract: string; topic: string }>(
  all: readonly T[],
): { contract: string; topic: string; verdicts: T[] }[] {
  const topics = new Map<string, { contract: string; topic: string; verdicts: T[] }>()
  for (const one of all) {
    const name = `${one.contract} ${one.topic}`
    const found = topics.get(name)
    if (found === undefined)
      topics.set(name, { contract: one.contract, topic: one.topic, verdicts: [one] })
    else found.verdicts.push(one)
  }
  return [...topics.values()]
}

/** Groups in the order in which they first appear. */
function grouped(
  verdicts: readonly Verdict[],
  titleOf: (verdict: Verdict) => string,
): VerdictGroup[] {
  const groups = new Map<string, VerdictGroup>()
  for (const verdict of verdicts) {
    const title = titleOf(verdict)
    const group = groups.get(title) ?? { title, verdicts: [] }
    group.verdicts.push(verdict)
    groups.set(title, group)
  }
  return [...groups.values()]
}

/** What was not covered, by what would unlock it: keys of the target file, else the reason. */
export function uncovered({ verdicts, says }: Pick<Result, 'verdicts' | 'says'>): VerdictGroup[] {
  const open = verdicts.filter(({ verdict }) => verdict === 'not covered')
  const groups = grouped(open, ({ needs = [], reason }) =>
    needs.length > 0 ? needs.join(' and ') : (reason ?? 'no reason is given'),
  )
  for (const group of groups) {
    const [path, ...more] = group.verdicts[0]!.needs ?? []
    const hint = path === undefined || more.length > 0 ? undefined : says(path)
    if (hint !== undefined) group.hint = hint
  }
  return groups
}

/** What is blocked, by the requirement that did not hold first. */
export function blocked({ verdicts }: Pick<Result, 'verdicts'>): VerdictGroup[] {
  const groups = grouped(
    verdicts.filter(({ verdict }) => verdict === 'blocked'),
    ({ blockedBy, reason }) => blockedBy ?? reason ?? 'an unknown cause',
  )
  for (const group of groups) {
    const root = verdicts.find(
      ({ requirement, verdict, blockedBy: by }) =>
        requirement === group.title && verdict !== 'pass' && by !== requirement,
    )
    // An open point that blocks has not failed, so that its reason is told nowhere else: those know it that met it themselves.
    const met = group.verdicts.find(({ reasonCode }) => reasonCode !== 'root-failed')
    group.hint = root?.title ?? met?.reason ?? group.verdicts[0]!.reason ?? ''
  }
  return groups
}

/** Requirement ids of a group, each once; long lists are cut. */
export function idsOf({ verdicts }: VerdictGroup, most = 6): string {
  const ids = [...new Set(verdicts.map(({ requirement }) => requirement))]
  return ids.length > most
    ? `${ids.slice(0, most).join(' ')} … ${ids.length - most} more`
    : ids.join(' ')
}

/** The exit status in words. */
export function meaningOf({
  exit,
  verdicts,
  strict,
}: Pick<Result, 'exit' | 'verdicts' | 'strict'>): string {
  const open = verdicts.filter(
    ({ verdict, level }) => verdict === 'not covered' && level === 'must',
  ).length
  const broken = new Set(
    verdicts.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement),
  ).size
  switch (exit) {
    case 0:
      return open > 0 && !strict
        ? `conformant, as far as it was judged: ${count(open, 'demand')} not covered`
        : 'conformant'
    case 1:
      return broken > 0
        ? `not conformant: ${count(broken, 'demand')} of the contract broken`
        : 'not conformant: what the checks build on does not work'
    case 2:
      return `nothing is broken, but ${count(open, 'demand')} not covered, and --strict wants all of them`
    case 3:
      return 'no judgement: the suite itself went wrong'
    case 130:
      return 'called off'
  }
}
