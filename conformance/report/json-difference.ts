import { describeDifference } from '../engine/index.ts'

/**
 * Describes where two JSON values differ that are at the ends of two strings. The strings begin
 * with the same words. Undefined for other strings, and for equal values.
 *
 * @example
 * describeJsonDifference('metadata {"a":1,"b":[null]}', 'metadata {"a":1,"b":[]}')
 * // '`b.0`: expected null, received nothing'
 */
export function describeJsonDifference(expected: string, received: string): string | undefined {
  const [wanted, found] = [jsonAtEndOf(expected), jsonAtEndOf(received)]
  return wanted === undefined || found === undefined || wanted.start !== found.start
    ? undefined
    : describeDifference(wanted.value, found.value)
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
