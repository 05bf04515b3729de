import type { Check, Message } from './engine/index.ts'

/**
 * Watching checks that examine messages of the same acting checks. `npm run proof` writes these
 * groups from the messages that the checks exchange with the references.
 */
export interface SenderGroup {
  /**
   * The requirements of the watching checks, or the key of a check if its requirement has several
   * watching checks. So a new watching check of a requirement is in no group.
   */
  readonly watching: readonly string[]
  /**
   * The requirements whose acting checks send the messages, or the key of a check if not all acting
   * checks of its requirement send some.
   */
  readonly sending: readonly string[]
}

type Names = Pick<Check<never, Message>, 'key' | 'requirement' | 'kind'>

/**
 * Returns the keys of the acting checks that send messages for these watching checks. `checks` are
 * all checks of the subject. Returns undefined if the groups do not show all senders, because they
 * lack a watching check, or name a sender that does not exist.
 */
export function findSenders(
  watching: readonly Names[],
  checks: readonly Names[],
  groups: readonly SenderGroup[],
): ReadonlySet<string> | undefined {
  const found = new Set<string>()
  for (const check of watching) {
    const name = nameOfWatching(check, checks)
    const group = groups.find((one) => one.watching.includes(name))
    if (group === undefined) return undefined
    for (const word of group.sending) {
      const senders = actingChecks(word, checks)
      if (senders.length === 0) return undefined
      for (const { key } of senders) found.add(key)
    }
  }
  return found
}

/** The name of a watching check in a group. */
export function nameOfWatching({ key, requirement }: Names, checks: readonly Names[]): string {
  const siblings = checks.filter((one) => one.kind === 'watch' && one.requirement === requirement)
  return siblings.length === 1 ? requirement : key
}

/** The acting checks that a group names with this word. */
export const actingChecks = <C extends Names>(word: string, checks: readonly C[]): C[] =>
  checks.filter(
    ({ kind, key, requirement }) => kind === 'act' && (key === word || requirement === word),
  )
