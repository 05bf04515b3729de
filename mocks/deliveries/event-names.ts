import { eventNames, events, type Flag } from './events.ts'

/** The names of events that people use, with the flag that enables the event in a hook. */
const flagOfName: ReadonlyMap<string, Flag> = new Map([
  ...eventNames.map((name) => [name, events[name].flag] as const),
  // Confidential issues are sent as issue events, but a different flag enables them.
  ['confidential_issue', 'confidential_issues_events'] as const,
])

/** All names of events, as error messages list them. */
export const knownNames: readonly string[] = [...flagOfName.keys()]

/**
 * Finds an event by its name, X-Hook-Event, object_kind or flag, in any spelling, such as push,
 * Push Hook, push_events or PushEvent. Returns its flag.
 */
export function findFlag(word: string): Flag | undefined {
  const wanted = normalize(word)
  return flagsBySpelling().get(wanted)
}

let spellings: ReadonlyMap<string, Flag> | undefined

function flagsBySpelling(): ReadonlyMap<string, Flag> {
  return (spellings ??= new Map([
    ...[...flagOfName].flatMap(([name, flag]) =>
      [name, flag].map((word) => [normalize(word), flag] as const),
    ),
    ...eventNames.flatMap((name) => {
      const { header, objectKind, flag } = events[name]
      return [header, objectKind].map((word) => [normalize(word), flag] as const)
    }),
  ]))
}

/**
 * Removes the differences between spellings such as Push Hook, push_events, PushEvent and pushes.
 */
function normalize(word: string): string {
  const letters = word
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(hook|events?)$/, '')
  return letters.replace(/(?<=sh)es$|s$/, '')
}

/** How much of two words must be equal for a suggestion. */
const minSimilarity = 0.5

/** The name of an event that is most similar to a word; undefined if none is similar. */
export function similarName(word: string): string | undefined {
  const wanted = normalize(word.slice(0, 100))
  const [best] = knownNames
    .map((name) => ({ name, similarity: similarityOf(wanted, normalize(name)) }))
    .toSorted((a, b) => b.similarity - a.similarity)
  return best !== undefined && best.similarity >= minSimilarity ? best.name : undefined
}

/** The proportion of pairs of letters that two words have in common (Dice), from 0 to 1. */
function similarityOf(one: string, other: string): number {
  const [pairs, others] = [pairsOf(one), pairsOf(other)]
  const common = [...pairs].filter((pair) => others.has(pair)).length
  return (2 * common) / (pairs.size + others.size)
}

const pairsOf = (word: string): Set<string> =>
  new Set(Array.from({ length: Math.max(word.length - 1, 0) }, (_, at) => word.slice(at, at + 2)))
