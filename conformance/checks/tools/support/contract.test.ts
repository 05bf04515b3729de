import { describe, expect, it } from 'vitest'
import { errorMessage, paginationResult, truncation } from '../../../../generated/tools/contract.ts'
import type { MessageContract } from '../../../../generated/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { judge } from '../../../engine/index.ts'
import { conformsTo, violatedRequirement } from './contract.ts'

type Kind = Parameters<typeof conformsTo>[0]

const contracts: { readonly [kind in Kind]: MessageContract } = {
  page: paginationResult,
  truncation,
  error: errorMessage,
}
const requirementsOf = (kind: Kind): RequirementId[] => [
  ...new Set(
    [...contracts[kind].fields, ...contracts[kind].conditions].map((one) => one.requirement),
  ),
]

const page = { total: 3, count: 1, offset: 0, books: [{}], has_more: true, next_offset: 1 }
const truncated = { truncated: true, truncation_message: 'Continue with offset 3.' }

/** Describes each place of all requirements that does not conform to the schema. */
const problems = (kind: Kind, body: unknown) =>
  requirementsOf(kind).flatMap((requirement) =>
    conformsTo(kind, requirement)
      .map((one) => judge(one, body))
      .filter(({ held }) => !held)
      .map(({ expected, received }) => `${requirement} ${expected}; ${received}`),
  )

it.each<[string, Kind, unknown]>([
  ['a page', 'page', page],
  ['a last page with more fields', 'page', { ...page, has_more: false, next_offset: null, a: 1 }],
  ['a truncated result', 'truncation', truncated],
  ['an error', 'error', 'Error: there is no book b-1.'],
])('has no problems: %s', (_, kind, body) => {
  expect(problems(kind, body)).toEqual([])
})

describe('a violation is a problem of one requirement', () => {
  it.each<[string, Kind, unknown, string]>([
    ['a total', 'page', { ...page, total: '3' }, 'TOOL-PAGE-01 total: an integer; total: "3"'],
    ['a count', 'page', { ...page, count: -1 }, 'TOOL-PAGE-02 count: an integer; count: -1'],
    [
      'an offset',
      'page',
      { ...page, offset: undefined },
      'TOOL-PAGE-03 offset: an integer; offset is missing',
    ],
    [
      'no array',
      'page',
      { ...page, books: {} },
      'TOOL-PAGE-04 the page: a field with an array of the items; the fields total, count, offset, books, has_more, next_offset',
    ],
    [
      'a has_more',
      'page',
      { ...page, next_offset: null, has_more: 'yes' },
      'TOOL-PAGE-05 has_more: a boolean; has_more: "yes"',
    ],
    [
      'no next_offset although more items follow',
      'page',
      { ...page, next_offset: null },
      'TOOL-PAGE-06 next_offset: an integer or null; next_offset: null',
    ],
    ['a list', 'page', [page], 'TOOL-JSON-01 the page: an object; the page: [{"total":3'],
    [
      'a mark',
      'truncation',
      { ...truncated, truncated: 'true' },
      'TOOL-TRUNCATION-02 truncated: true; truncated: "true"',
    ],
    [
      'a message without advice',
      'truncation',
      { ...truncated, truncation_message: 'The result was too long.' },
      'TOOL-TRUNCATION-03 truncation_message: a string that mentions offset or filters; truncation_message: "The result was too long."',
    ],
    [
      'an error with another beginning',
      'error',
      '\nError: no such book',
      'TOOL-ERROR-01 the message: text that begins with "Error:"; the message: "\\nError: no such book"',
    ],
  ])('%s', (_, kind, body, expected) => {
    const found = problems(kind, JSON.parse(JSON.stringify(body)))
    expect(found).toHaveLength(1)
    expect(found[0]!.startsWith(expected)).toBe(true)
  })
})

it('accepts advice about offset or filters in other words', () => {
  for (const text of [
    "Use 'offset' for the rest.",
    'Response truncated from 100 to 50 items. Use filters to see fewer.',
    'Please narrow your search.',
    'Be more specific!',
  ])
    expect([text, problems('truncation', { ...truncated, truncation_message: text })]).toEqual([
      text,
      [],
    ])
})

it('finds the first violated requirement of a list', () => {
  const wrong = { ...page, total: null, count: null }
  expect(violatedRequirement('page', wrong, ['TOOL-PAGE-02', 'TOOL-PAGE-01'])).toBe('TOOL-PAGE-02')
  expect(violatedRequirement('page', wrong, ['TOOL-PAGE-03'])).toBeUndefined()
})

it('throws for a requirement that the schema does not contain', () => {
  expect(() => conformsTo('page', 'TOOL-TRUNCATION-02')).toThrow('not in the schema of page')
})
