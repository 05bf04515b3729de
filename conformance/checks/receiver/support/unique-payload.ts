import type { Json } from '../../../engine/index.ts'
/**
 * Makes a happening of its own of a payload: a receiver may take what it knows already for a repetition. What names the happening is renewed wherever it
 * stands: commit ids at their end, so that a short one remains the beginning of its long one, its own id by addition, the slug of a page by a number.
 */
export function makeUnique(text: string, by: number): string {
  const commits = text.replace(
    /\b([0-9a-f]{32})([0-9a-f]{8})\b/g,
    (sha, head: string, tail: string) => (/^0+$/.test(sha) ? sha : head + changeDigits(tail, by)),
  )
  const { id, build_id, deployment_id, object_attributes } = JSON.parse(text) as Json
  const attributes = (object_attributes ?? {}) as Json
  const own = [id, build_id, deployment_id, attributes['id'], attributes['slug']]
  return own.reduce<string>((changed, name) => {
    if (typeof name !== 'number' && typeof name !== 'string') return changed
    return changed.replace(
      wholeWord(String(name)),
      String(typeof name === 'number' ? name + by : `${name}-${by}`),
    )
  }, commits)
}

/** Eight hexadecimal digits, for each number others. */
const changeDigits = (digits: string, by: number) =>
  ((Number.parseInt(digits, 16) ^ by) >>> 0).toString(16).padStart(8, '0')

/** A number or a word where it is no part of another. */
const wholeWord = (word: string) =>
  new RegExp(`(?<![\\w.-])${word.replace(/[^\w-]/g, '\\$&')}(?!\\w|[.-]\\w)`, 'g')
