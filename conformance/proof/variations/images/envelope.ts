import type { ImagesFactor } from './variation.ts'
import { answers, failures, isObject, type Json } from './building.ts'

/** Lets every answer of success have other members around its result. */
const successes = (change: (body: Json) => Json) =>
  answers((body) => (body['success'] === true ? change(body) : undefined))

/** What envelopes may hold where the document is silent. */
export const envelope: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-ENVELOPE-10',
    name: 'members of a success',
    levels: [
      { name: 'empty lists', description: 'Carries empty errors and messages.' },
      {
        name: 'errors',
        notCombined: true,
        description: 'Carries empty errors.',
        choices: { successLists: 'errors' },
      },
      {
        name: 'none',
        description: 'Carries a result and nothing else.',
        choices: { successLists: 'absent' },
      },
      {
        name: 'many',
        description: 'Carries texts as messages, a trace and what the call cost.',
        deviation: successes(({ errors: _, ...body }) => ({
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
    name: 'members of a failure',
    levels: [
      { name: 'null', description: 'Carries a result of null and empty messages.' },
      {
        name: 'none',
        description: 'Carries errors and nothing else.',
        choices: { failureResult: 'absent' },
      },
      {
        name: 'an empty result',
        notCombined: true,
        description: 'Carries an empty object as the result.',
        deviation: failures((body) => ({ ...body, result: {} })),
      },
      {
        name: 'a problem',
        description: 'Is a problem document too.',
        deviation: failures((body, { status }) => ({
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
    name: 'members of every object',
    levels: [
      { name: 'as documented', description: 'Has no further members.' },
      {
        name: 'more',
        description:
          'Has further members in every object that is its own, some under names that the document uses elsewhere.',
        deviation: answers((body) => extended(body) as Json),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'order of members',
    levels: [
      { name: 'natural', description: 'Writes members in the order of the document.' },
      {
        name: 'reversed',
        description: "Writes members in reversed order, the caller's metadata too.",
        deviation: answers((body) => reversed(body) as Json),
      },
    ],
  },
]

/** The caller's metadata is the caller's, and the keys of a map of variants are ids: neither gets a member of ours. */
function extended(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => extended(item))
  if (!isObject(value) || name === 'metadata') return value
  const members = Object.entries(value).map(
    ([key, member]) => [key, extended(member, key)] as const,
  )
  if (name === 'variants') return Object.fromEntries(members)
  return Object.fromEntries([
    ['x_before', { id: 7, success: null, draft: 'perhaps', images: [], variants: {} }],
    ...members,
    ['x_after', [null, [], { errors: true }]],
  ])
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  )
}
