import { isObject } from './json.ts'

/** The maximum number of differences that are described. */
const maxDifferences = 3
/** The maximum length of a described value. */
const maxLength = 60
/** How many equal characters are shown before the place where two long values differ. */
const lead = 20

/**
 * Describes where two JSON values differ, so that readers need not compare long lines. Undefined
 * for equal values.
 *
 * @example
 * describeDifference({ a: 1, b: [null] }, { a: 1, b: [] })
 * // '`b.0`: expected null, received nothing'
 */
export function describeDifference(expected: unknown, received: unknown): string | undefined {
  const differences = differencesOf(expected, received, [])
  if (differences.length === 0) return undefined
  const more = differences.length - maxDifferences
  return [...differences.slice(0, maxDifferences), ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

function differencesOf(wanted: unknown, found: unknown, path: readonly string[]): string[] {
  const place = path.length === 0 ? '' : `\`${path.join('.')}\`: `
  const isLists = Array.isArray(wanted) && Array.isArray(found)
  if (isLists && Math.abs(wanted.length - found.length) > 1) {
    const shared = Math.min(wanted.length, found.length)
    return [
      `${place}expected ${wanted.length} items, received ${found.length}`,
      ...differencesOf(wanted.slice(0, shared), found.slice(0, shared), path),
    ]
  }
  if (isLists || (isObject(wanted) && isObject(found))) {
    const [expected, received] = [new Map(Object.entries(wanted)), new Map(Object.entries(found))]
    const names = new Set([...expected.keys(), ...received.keys()])
    return [...names].flatMap((name) =>
      differencesOf(expected.get(name), received.get(name), [...path, name]),
    )
  }
  const [one, other] = [wanted, found].map((value) => JSON.stringify(value) ?? 'nothing')
  if (one === other) return []
  const [expected, received] = cutToDifference(one!, other!)
  return [`${place}expected ${expected}, received ${received}`]
}

/** Cuts two long strings so that the place where they differ is visible in both. */
function cutToDifference(one: string, other: string): [string, string] {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const from = same + lead > maxLength ? same - lead : 0
  const cut = (text: string) => {
    const start = from === 0 ? '' : text.startsWith('"') ? '"…' : '…'
    return `${start}${text.slice(from, from + maxLength)}${text.length > from + maxLength ? '…' : ''}`
  }
  return [cut(one), cut(other)]
}
