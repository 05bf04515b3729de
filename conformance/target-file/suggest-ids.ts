import { requirements, topics, type Requirement } from '../../generated/requirements/index.ts'
import { nearest } from './nearest.ts'

/** At most this many groups are suggested. */
const maxSuggestions = 3

/** Shorter words of titles, such as "of", say nothing about a topic. */
const minWord = 3

/** Ids that begin alike: `IMG-UPLOAD-01`, `IMG-UPLOAD-02`. */
interface Group {
  /** What the ids begin with: `IMG-UPLOAD`. */
  readonly prefix: string
  /** The first part: `IMG`. */
  readonly area: string
  /** The second part: `UPLOAD`. */
  readonly name: string
  readonly ids: readonly string[]
  /** Words of the names and titles of its topics, in capital letters. */
  readonly topicWords: readonly string[]
  /** The initials of its topics, if they have several words: `MR` for merge-request. */
  readonly topicInitials: readonly string[]
}

/**
 * Returns ids, or first parts of ids, that a user may have meant instead of a word which is neither
 * of them. Empty if nothing is similar.
 *
 * @example
 * suggestIds('EVT-MERGE') // ['EVT-MERGEREQUEST']
 * suggestIds('IMG-UPLOAD-4') // ['IMG-UPLOAD-04']
 * suggestIds('TOOL-PAGINATION') // ['TOOL-PAGE']
 */
export function suggestIds(word: string): string[] {
  const groups = allGroups()
  const [first = '', ...rest] = word.toUpperCase().split('-')
  const number = /^\d+$/.test(rest.at(-1) ?? '') ? rest.pop() : undefined
  const areas = [...new Set(groups.map(({ area }) => area))]
  const area = areas.find((known) => first.startsWith(known))
  const own = area === undefined ? groups : groups.filter((group) => group.area === area)
  const name = area === undefined ? [first, ...rest].join('') : rest.join('')
  if (name === '') return area === undefined || area === first ? [] : [area]
  const similar = similarGroups(name, own)
  const near = similar.length > 0 ? undefined : nearest(word, Object.keys(requirements))
  if (near !== undefined) return [near]
  return similar.slice(0, maxSuggestions).map(({ prefix, ids }) => {
    const id = `${prefix}-${number?.padStart(2, '0')}`
    return ids.includes(id) ? id : prefix
  })
}

/** The groups that are most similar to a name: by their names, or else by their topics. */
function similarGroups(name: string, groups: readonly Group[]): readonly Group[] {
  const begins = (one: string, other: string) => one.startsWith(other) || other.startsWith(one)
  const near = nearest(
    name,
    groups.map((group) => group.name),
  )
  const attempts: ((group: Group) => boolean)[] = [
    (group) => group.name === name,
    (group) => begins(group.name, name),
    (group) => group.name === near,
    ({ topicInitials }) => topicInitials.includes(name),
    ({ topicWords }) => topicWords.some((topicWord) => begins(topicWord, name)),
  ]
  return attempts.map((fits) => groups.filter(fits)).find((found) => found.length > 0) ?? []
}

function allGroups(): Group[] {
  const titles = new Map(
    topics.map(({ contract, topic, title }) => [`${contract} ${topic}`, title]),
  )
  const groups = new Map<string, { ids: string[]; topics: Set<string> }>()
  for (const { id, contract, topic } of Object.values<Requirement>(requirements)) {
    const prefix = id.replace(/-\d+$/, '')
    const group = groups.get(prefix) ?? { ids: [], topics: new Set() }
    groups.set(prefix, group)
    group.ids.push(id)
    group.topics.add(`${contract} ${topic}`)
  }
  return [...groups].map(([prefix, { ids, topics: own }]) => {
    const [area = '', ...name] = prefix.split('-')
    const names = [...own].map((key) => key.split(' ')[1]!.toUpperCase().split('-'))
    const words = [...own].flatMap((key) => (titles.get(key) ?? '').toUpperCase().split(/[^A-Z]+/))
    return {
      prefix,
      area,
      name: name.join(''),
      ids,
      topicWords: [...names.flat(), ...words].filter((word) => word.length >= minWord),
      topicInitials: names
        .filter(({ length }) => length > 1)
        .map((parts) => parts.map((part) => part[0]).join('')),
    }
  })
}
