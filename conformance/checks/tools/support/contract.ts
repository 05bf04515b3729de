import { errorMessage, paginationResult, truncation } from '../../../../generated/tools/contract.ts'
import type { MessageContract, Violation } from '../../../../generated/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { isObject, type Expectation } from '../../../engine/index.ts'

// Expectations derived from the schemas of the results of tools, in specs/json-schema/tools/.

/** The messages in results of tools that have a schema. */
const messages = { page: paginationResult, truncation, error: errorMessage }
type MessageKind = keyof typeof messages

/** What a message is called in expectations. */
const subjects: { readonly [kind in MessageKind]: string } = {
  page: 'the page',
  truncation: 'the truncated result',
  error: 'the message',
}

/** Caches violations by message and body, because several checks judge the same body. */
const caches: { readonly [kind in MessageKind]: WeakMap<object, readonly Violation[]> } = {
  page: new WeakMap(),
  truncation: new WeakMap(),
  error: new WeakMap(),
}

/** The violations of a schema in a body: a JSON value, or the text of an error. */
function violationsIn(kind: MessageKind, body: unknown): readonly Violation[] {
  if (!isObject(body)) return messages[kind].validate(body)
  const cached = caches[kind].get(body) ?? messages[kind].validate(body)
  caches[kind].set(body, cached)
  return cached
}

/**
 * Returns the first requirement that a body violates, of those that are listed. Undefined if it
 * conforms to the schema at the places of these requirements.
 */
export const violatedRequirement = (
  kind: MessageKind,
  body: unknown,
  requirements: readonly RequirementId[],
): RequirementId | undefined =>
  requirements.find((requirement) =>
    violationsIn(kind, body).some((violation) => violation.requirement === requirement),
  )

/**
 * Returns an expectation for each place of a message that a requirement covers: a field, or a
 * condition of the whole body. Throws if the schema has no such place.
 */
export function conformsTo(
  kind: MessageKind,
  requirement: RequirementId,
): Required<Expectation<unknown>>[] {
  const { fields, conditions }: MessageContract = messages[kind]
  const all = [...fields, ...conditions.map((condition) => ({ ...condition, path: '' }))].filter(
    (place) => place.requirement === requirement,
  )
  if (all.length === 0) throw new Error(`${requirement} is not in the schema of ${kind}`)
  // Only a field of an object can be judged, so this ignores the object itself.
  const inside = all.filter(({ path }) => path !== '')
  const places = inside.length > 0 ? inside : all
  return places.map(({ path, expected }) => {
    const label = path === '' ? subjects[kind] : path.slice(1)
    const brokenIn = (body: unknown) =>
      violationsIn(kind, body).find(
        (violation) => violation.requirement === requirement && violation.path === path,
      )
    return {
      name: path === '' ? 'is valid' : `has valid ${label}`,
      expected: `${label}: ${expected}`,
      test: (body) => brokenIn(body) === undefined,
      received: (body) => describeReceived(brokenIn(body), label),
    }
  })
}

function describeReceived(violation: Violation | undefined, label: string): string {
  if (violation === undefined) return label
  const { path, received } = violation
  if (received === undefined) return `${label} is missing`
  return path === '' && isObject(received)
    ? `the fields ${Object.keys(received).join(', ')}`
    : `${label}: ${JSON.stringify(received).slice(0, 160)}`
}
