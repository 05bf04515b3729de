import { isObject, type ExpectedFailure } from '../engine/index.ts'

/** A mistake in a list of known failures. */
export interface EntryMistake {
  /** `expected.yaml:2:7` */
  readonly location: string
  /** The position of the entry in the list, from 0. */
  readonly index: number
  /** A phrase that can follow the location. */
  readonly what: string
}

/** Returns the location of a member of an entry, or of the entry if it has no such member. */
export type LocateEntry = (index: number, member?: string) => string

// The locations are not members of the entries, because reports contain the entries.
const locations = new WeakMap<ExpectedFailure, string>()

/**
 * The location of the id of an entry: `expected.yaml:2:7`. For entries that were not read, or are
 * copies in a worker, the key that contains them.
 */
export const locationOf = (entry: ExpectedFailure): string =>
  locations.get(entry) ?? 'suite.expected'

/**
 * Reads a list of known failures, as a file or `suite.expected` contains it. Returns the valid
 * entries, and the mistakes in the others.
 */
export function readEntries(
  list: readonly unknown[],
  locate: LocateEntry,
): { entries: ExpectedFailure[]; mistakes: EntryMistake[] } {
  const all: EntryMistake[] = []
  const seen = new Set<string>()
  const entries = list.flatMap((item, index): ExpectedFailure[] => {
    if (!isObject(item)) {
      const what = 'is not a map; expected id, reason and optionally until'
      all.push({ location: locate(index), index, what })
      return []
    }
    const mistakes = mistakesIn(item, seen)
    all.push(
      ...mistakes.map(({ member, what }) => ({ location: locate(index, member), index, what })),
    )
    if (mistakes.length > 0) return []
    const entry = item as unknown as ExpectedFailure
    locations.set(entry, locate(index, 'id'))
    return [entry]
  })
  return { entries, mistakes: all }
}

const members: readonly string[] = ['id', 'reason', 'until']

const idPattern = /^[A-Z]+(-[A-Z]+)*(-\d+)?$/
const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** The mistakes in an entry, each with its member and a phrase that can follow the location. */
function mistakesIn(
  entry: Readonly<Record<string, unknown>>,
  seen: Set<string>,
): { member: string; what: string }[] {
  const { id, reason, until } = entry
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  const mistakes = Object.keys(entry)
    .filter((name) => !members.includes(name))
    .map((member) => ({
      member,
      what: `has the unknown key ${member}; expected ${members.join(', ')}`,
    }))
  if (!isText(id) || !idPattern.test(String(id)))
    mistakes.push({
      member: 'id',
      what: 'has no valid id; expected one such as IMG-UPLOAD-04 or IMG-UPLOAD',
    })
  else if (seen.has(String(id))) mistakes.push({ member: 'id', what: `lists ${String(id)} again` })
  else seen.add(String(id))
  if (!isText(reason)) mistakes.push({ member: 'reason', what: 'has no reason' })
  if (until !== undefined && !isDay(until))
    mistakes.push({
      member: 'until',
      what: 'has a value of until that is not a day; expected a day such as 2026-12-31',
    })
  return mistakes
}

const isDay = (value: unknown): boolean =>
  typeof value === 'string' &&
  dayPattern.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)

/** The JSON Schema of a list. `orVariable` adds the form of a variable to a schema. */
export const schemaOfEntries = (
  orVariable: (schema: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> => ({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'reason'],
    properties: {
      id: {
        description: 'A requirement, or the first parts of the ids of several, such as IMG-UPLOAD.',
        ...orVariable({ type: 'string', pattern: idPattern.source }),
        examples: ['IMG-UPLOAD-04'],
      },
      reason: {
        description: 'Why the server fails.',
        type: 'string',
        minLength: 1,
        examples: ['fixed in release 2.3'],
      },
      until: {
        description: 'The last day on which the failure is expected.',
        ...orVariable({ type: 'string', pattern: dayPattern.source }),
        examples: ['2026-12-31'],
      },
    },
  },
})
