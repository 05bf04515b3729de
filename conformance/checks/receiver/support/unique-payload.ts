import type { Json } from '../../../engine/index.ts'

/**
 * Changes the ids of a payload, so that it describes a new event: a receiver may ignore an event
 * that it has already processed. Each id is changed wherever it occurs: a commit id in its last 8
 * digits, so that abbreviated ids still match; the id of the object by adding `by`; the slug of a
 * page by appending `by`.
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

/** Changes eight hexadecimal digits, differently for each number. */
const changeDigits = (digits: string, by: number) =>
  ((Number.parseInt(digits, 16) ^ by) >>> 0).toString(16).padStart(8, '0')

/** Matches a number or word that is not part of a longer one. */
const wholeWord = (word: string) =>
  new RegExp(`(?<![\\w.-])${word.replace(/[^\w-]/g, '\\$&')}(?!\\w|[.-]\\w)`, 'g')
