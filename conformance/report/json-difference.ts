import { isObject } from '../engine/index.ts'

/** The maximum number of differences that are described. */
const maxDifferences = 3
/** The maximum length of a described value. */
const maxLength = 60

/**
 * Describes where two JSON values differ, so that readers need not compare long lines. The values
 * are at the ends of two strings that begin with the same words. Undefined for other strings, and
 * for equal values.
 *
 * @example
 * describeJsonDifference('metadata {"a":1,"b":[null]}', 'metadata {"a":1,"b":[]}')
 * // '`b.0`: expected null, received nothing'
 */
export function describeJsonDifference(expected: string, received: string): string | undefined {
  const [wanted, found] = [jsonAtEndOf(expected), jsonAtEndOf(received)]
  if (wanted === undefined || found === undefined || wanted.start !== found.start) return undefined
  const differences = differencesOf(wanted.value, found.value, [])
  if (differences.length === 0) return undefined
  const more = differences.length - maxDifferences
  return [...differences.slice(0, maxDifferences), ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

/** The JSON object or array at the end of a string, and the words before it. */
function jsonAtEndOf(text: string): { start: string; value: unknown } | undefined {
  const at = text.search(/[{[]/)
  if (at === -1) return undefined
  try {
    return { start: text.slice(0, at), value: JSON.parse(text.slice(at)) as unknown }
  } catch {
    return undefined
  }
}

function differencesOf(wanted: unknown, found: unknown, path: readonly string[]): string[] {
  const isComparable =
    (isObject(wanted) && isObject(found)) || (Array.isArray(wanted) && Array.isArray(found))
  if (isComparable) {
    const [expected, received] = [new Map(Object.entries(wanted)), new Map(Object.entries(found))]
    const names = new Set([...expected.keys(), ...received.keys()])
    return [...names].flatMap((name) =>
      differencesOf(expected.get(name), received.get(name), [...path, name]),
    )
  }
  const [expected, received] = [shortJson(wanted), shortJson(found)]
  if (JSON.stringify(wanted) === JSON.stringify(found)) return []
  const place = path.length === 0 ? '' : `\`${path.join('.')}\`: `
  return [`${place}expected ${expected}, received ${received}`]
}

function shortJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing'
  return json.length > maxLength ? `${json.slice(0, maxLength)}…` : json
}
