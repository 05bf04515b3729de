import { expect, test } from 'vitest'
import { requirements, type RequirementId } from '../generated/requirements/index.ts'
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
