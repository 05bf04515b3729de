import type { ImagesFactor } from './variation.ts'
import { changeReplies, changeFailures, isObject, type Json } from './building.ts'

/** Changes the envelope of every success. */
const changeSuccesses = (change: (body: Json) => Json) =>
  changeReplies((body) => (body['success'] === true ? change(body) : undefined))

/** What the document leaves open about envelopes: which members they have, and in which order. */
export const envelope: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-ENVELOPE-10',
    name: 'fields of a success in addition to success and result',
    values: [
      {
        name: 'errors and messages, both empty',
        description: 'Returns errors and messages as empty arrays.',
      },
      {
        name: 'errors, empty',
        notCombined: true,
        description: 'Returns errors as an empty array, and no messages.',
        choices: { successLists: 'errors' },
      },
      {
        name: 'none',
        description: 'Returns only success and a result.',
        choices: { successLists: 'absent' },
      },
      {
        name: 'messages and a trace',
        description: 'Returns messages, a trace and the duration of the call, but no errors.',
        deviation: changeSuccesses(({ errors: _, ...body }) => ({
          trace: 'f00d',
          ...body,
          messages: ['ok', { code: 1, message: '' }],
          result_info: null,
          took: 0.25,
        })),
      },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-10',
    name: 'fields of a failure in addition to success and errors',
    values: [
      {
        name: 'result with the value null',
        description: 'Returns result: null and messages as an empty array.',
      },
      {
        name: 'none',
        description: 'Returns only success and errors.',
        choices: { failureResult: 'absent' },
      },
      {
        name: 'result with an empty object',
        notCombined: true,
        description: 'Returns an empty object as the result.',
        deviation: changeFailures((body) => ({ ...body, result: {} })),
      },
      {
        name: 'the fields of RFC 9457',
        description: 'Returns the members of a problem document (RFC 9457) as well.',
        deviation: changeFailures((body, { status }) => ({
          type: 'about:blank',
          title: 'Refused',
          status,
          detail: null,
          ...body,
        })),
      },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-10',
    name: 'undocumented fields in every object',
    values: [
      { name: 'none', description: 'Returns no undocumented fields.' },
      {
        name: 'some',
        description:
          'Returns additional fields in each of its objects, some with names that the document uses elsewhere.',
        deviation: changeReplies((body) => extendMembers(body) as Json),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'order of members',
    values: [
      { name: 'natural', description: 'Writes members in the order of the document.' },
      {
        name: 'reversed',
        description: "Writes members in reverse order, including those of the caller's metadata.",
        deviation: changeReplies((body) => reverseMembers(body) as Json),
      },
    ],
  },
]

/**
 * Adds members to all objects except `metadata`, which belongs to the caller, and the map
 * `variants`, whose keys are ids.
 */
function extendMembers(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => extendMembers(item))
  if (!isObject(value) || name === 'metadata') return value
  const members = Object.entries(value).map(
    ([key, member]) => [key, extendMembers(member, key)] as const,
  )
  if (name === 'variants') return Object.fromEntries(members)
  return Object.fromEntries([
    ['x_before', { id: 7, success: null, draft: 'perhaps', images: [], variants: {} }],
    ...members,
    ['x_after', [null, [], { errors: true }]],
  ])
}

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  )
}
