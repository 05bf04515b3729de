type Json = { readonly [member: string]: unknown }

/**
 * Makes a happening of its own of a payload: a receiver may take what it knows already for a repetition. What names the happening is renewed wherever it
 * stands: commit ids in their last digits, so that a short one stays a beginning, its id by addition, the slug of a page at its end.
 */
export function renewed(text: string, by: number): string {
  const own = namesOf(JSON.parse(text) as Json)
  return own.reduce((changed, { name, next }) => changed.replace(whole(name), next(by)), text.replace(/\b([0-9a-f]{32})([0-9a-f]{8})\b/g, (sha, head: string, tail: string) => (/^0+$/.test(sha) ? sha : head + moved(tail, by))))
}

/** What names the happening that a payload tells of, and how it is renewed. */
function namesOf({ id, build_id, deployment_id, object_attributes }: Json): { name: string; next: (by: number) => string }[] {
  const attributes = (object_attributes ?? {}) as Json
  const ids = [id, build_id, deployment_id, attributes['id']].filter((one): one is number => typeof one === 'number')
  const { slug } = attributes
  return [
    ...ids.map((one) => ({ name: String(one), next: (by: number) => String(one + by) })),
    ...(typeof slug === 'string' ? [{ name: slug, next: (by: number) => `${slug}-${by}` }] : []),
  ]
}

/** Eight hexadecimal digits, moved so that different numbers move them to different places. */
const moved = (digits: string, by: number) => ((Number.parseInt(digits, 16) ^ by) >>> 0).toString(16).padStart(8, '0')

/** A number or word where it is no part of another. */
const whole = (word: string) => new RegExp(`(?<![\\w.-])${word.replace(/[^\w]/g, '\\$&')}(?![\\w.-]*\\w)`, 'g')
