import { expect, test } from 'vitest'
import { requirements, type RequirementId } from '../generated/requirements/index.ts'
import { ExpectedFailures } from './engine/index.ts'
import { verdictOf } from './engine/judge.ts'
import { updateExpected } from './known-failures.ts'

const failed = (requirement: RequirementId, title: string) =>
  verdictOf(
    { key: `${requirement} ${title}`, requirement, entry: requirements[requirement], title },
    { verdict: 'fail' },
  )

const reasonsOf = (...titles: string[]) =>
  updateExpected(
    undefined,
    titles.map((title) => failed('IMG-GET-01', title)),
    '2026-11-27',
  ).entries.map(({ reason }) => reason)

test('the reason of a new entry names all failed checks of the requirement, if there are few', () => {
  expect(reasonsOf('a', 'b')).toEqual(['not met on 2026-11-27: a; b'])
  expect(reasonsOf('a', 'b', 'c', 'd')).toEqual(['not met on 2026-11-27: a; b; c; d'])
  expect(reasonsOf('a', 'b', 'c', 'd', 'e')).toEqual([
    'not met on 2026-11-27: a; b; c; and 2 more checks',
  ])
})

test('an entry that has expired keeps its last day, and its failure counts', () => {
  const entry = { id: 'IMG-GET-01', reason: 'issue 318', until: '2026-11-20' }
  const expected = new ExpectedFailures([entry], { today: '2026-11-27' })
  const marked = expected.markAll([failed('IMG-GET-01', 'a')])
  expect(updateExpected(expected, marked, '2026-11-27')).toEqual({
    entries: [entry],
    added: 0,
    removed: 0,
    expired: [entry],
  })
})
