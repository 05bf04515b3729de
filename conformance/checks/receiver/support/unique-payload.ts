import type { Json } from '../../../engine/index.ts'

/**
 * Changes the ids of a payload, so that it describes a new event: a receiver may ignore an event
 * that it has processed. Each id is changed wherever the payload contains it. Only the last 8
 * digits of a commit id change, so that abbreviated ids still match. `by` is added to the id of the
 * object, and appended to the slug of a page.
 */
export function makeUnique(text: string, by: number): string {
  const commits = text.replace(
    /\b([0-9a-f]{32})([0-9a-f]{8})\b/g,
    (sha, head: string, tail: string) => (/^0+$/.test(sha) ? sha : head + changeDigits(tail, by)),
  )
  const { id, build_id, deployment_id, object_attributes } = JSON.parse(text) as Json
  const attributes = (object_attributes ?? {}) as Json
  const ids = [id, build_id, deployment_id, attributes['id'], attributes['slug']]
  return ids.reduce<string>((changed, id) => {
    if (typeof id !== 'number' && typeof id !== 'string') return changed
    return changed.replace(
      wholeWord(String(id)),
      String(typeof id === 'number' ? id + by : `${id}-${by}`),
    )
  }, commits)
}

/** Changes eight hexadecimal digits. Each value of `by` results in different digits. */
const changeDigits = (digits: string, by: number) =>
  ((Number.parseInt(digits, 16) ^ by) >>> 0).toString(16).padStart(8, '0')

/** Matches a number or word that is not part of a longer one. */
const wholeWord = (word: string) =>
  new RegExp(`(?<![\\w.-])${word.replace(/[^\w-]/g, '\\$&')}(?!\\w|[.-]\\w)`, 'g')
