import { actingChecks, findSenders, nameOfWatching, type SenderGroup } from '../senders.ts'
import type { Reference } from './jobs.ts'

// Which acting checks run for a watching check that a user selects: those that sent messages of a
// kind that it examined, at the references. conformance/recorded-senders.ts lists them. A check may
// examine only some messages of a kind, such as those with status 413. The others are included,
// because a broken server may return status 413 to them.

/** The checks of the references, with the messages that they sent and examined. */
type Observed = Pick<Reference, 'checks' | 'readers' | 'sendersByCheck'>
type CheckList = Readonly<Reference['checks']>

/** How a contributor updates the list. */
const remedy = 'run npm run proof -- --senders and commit conformance/recorded-senders.ts'

/**
 * Groups the watching checks that examined messages of the same acting checks. Adds the senders in
 * `recorded` whose checks still exist: which checks send may differ a little from run to run.
 */
export function groupSenders(
  references: readonly Observed[],
  recorded: readonly SenderGroup[] = [],
): SenderGroup[] {
  const groups = new Map<string, { watching: string[]; sending: string[] }>()
  for (const [watch, { checks, senders }] of observedSenders(references)) {
    const name = nameOf(watch, checks)
    const words = recorded.find(({ watching }) => watching.includes(name))?.sending ?? []
    for (const word of words) for (const { key } of actingChecks(word, checks)) senders.add(key)
    const sending = shorten(senders, checks)
    const id = sending.join('\n')
    const group = groups.get(id) ?? { watching: [], sending }
    groups.set(id, group)
    group.watching.push(name)
  }
  for (const { watching } of groups.values()) watching.sort()
  return [...groups.values()].sort((one, other) => (one.watching[0]! < other.watching[0]! ? -1 : 1))
}

/** Lists differences between the recorded groups and the checks of the references. */
export function listStaleSenders(
  recorded: readonly SenderGroup[],
  references: readonly Observed[],
): string[] {
  return [
    ...listStaleNames(
      recorded,
      references.map(({ checks }) => checks),
    ),
    ...listUnlisted(recorded, references),
  ].map((problem) => `${problem}; ${remedy}`)
}

/** Lists watching checks without senders, and names that no check has. */
export function listStaleNames(
  recorded: readonly SenderGroup[],
  subjects: readonly CheckList[],
): string[] {
  const names = new Set(recorded.flatMap(({ watching }) => watching))
  const watchingNames = new Set(
    subjects.flatMap((checks) =>
      checks.filter(({ kind }) => kind === 'watch').map(({ key }) => nameOf(key, checks)),
    ),
  )
  const senders = new Set(recorded.flatMap(({ sending }) => sending))
  return [
    ...[...watchingNames]
      .filter((name) => !names.has(name))
      .map((name) => `no senders are recorded for ${name}`),
    ...[...names]
      .filter((name) => !watchingNames.has(name))
      .map((name) => `senders are recorded for ${name}, but there is no such watching check`),
    ...[...senders]
      .filter((word) => subjects.every((checks) => actingChecks(word, checks).length === 0))
      .map((word) => `${word} is recorded as a sender, but there is no such acting check`),
  ]
}

/** Lists watching checks whose senders in this run are not all recorded. */
function listUnlisted(recorded: readonly SenderGroup[], references: readonly Observed[]): string[] {
  return [...observedSenders(references)].flatMap(([watch, { checks, senders }]) => {
    const watching = checks.filter(({ key }) => key === watch)
    // Undefined if a name is wrong, which is reported already.
    const listed = findSenders(watching, checks, recorded)
    const missing =
      listed === undefined ? [] : [...senders].filter((key) => !listed.has(key)).sort()
    return missing.length === 0
      ? []
      : [`the senders recorded for ${watch} lack ${missing.join(' and ')}`]
  })
}

/** For each watching check, the checks of its subject, and its senders among them. */
function observedSenders(
  references: readonly Observed[],
): Map<string, { checks: CheckList; senders: Set<string> }> {
  const found = new Map<string, { checks: CheckList; senders: Set<string> }>()
  for (const { checks, readers, sendersByCheck } of references)
    for (const [watch, byKind] of Object.entries(sendersByCheck)) {
      const entry = found.get(watch) ?? { checks, senders: new Set() }
      found.set(watch, entry)
      for (const kind of Object.keys(byKind))
        for (const key of readers[kind]!) entry.senders.add(key)
    }
  return found
}

const nameOf = (watch: string, checks: CheckList): string =>
  nameOfWatching(
    checks.find(({ key }) => key === watch)!,
    checks,
  )

/** Names senders by their requirement if all acting checks of the requirement are senders. */
function shorten(senders: ReadonlySet<string>, checks: CheckList): string[] {
  const words = checks
    .filter(({ key }) => senders.has(key))
    .map(({ key, requirement }) =>
      actingChecks(requirement, checks).every((check) => senders.has(check.key))
        ? requirement
        : key,
    )
  return [...new Set(words)].sort()
}

/** Returns the source of recorded-senders.ts. Each name has its line, so diffs are easy to read. */
export function formatSenders(groups: readonly SenderGroup[]): string {
  const list = (name: string, words: readonly string[]) =>
    `    ${name}: [\n${words.map((word) => `      ${JSON.stringify(word)},\n`).join('')}    ],\n`
  return `// Written by npm run proof. DO NOT EDIT.

import type { SenderGroup } from './senders.ts'

export const senderGroups: readonly SenderGroup[] = [
${groups
  .map(
    ({ watching, sending }) =>
      `  {\n${list('watching', watching)}${list('sending', sending)}  },\n`,
  )
  .join('')}]
`
}
