import { expect, test } from 'vitest'
import { compareRuns } from '../../../conformance/compare/changes.ts'
import { runOf, verdictOf } from '../../../conformance/compare/compare.testing.ts'
import { printComparison } from './print.ts'

test('says that one run did not observe what only the other run observed', () => {
  const observed = (...observations: string[]) =>
    verdictOf('IMG-UPLOAD-13', 'observed', { observations })
  const both = 'a file without a name is accepted'
  const comparison = compareRuns(
    runOf([observed(both)]),
    runOf([observed(both, 'an empty file is refused')]),
    false,
  )
  let printed = ''
  printComparison(comparison, { out: { write: (text) => (printed += text) } })
  expect(printed).toContain('      before  not observed\n')
  expect(printed).toContain('      after   an empty file is refused\n')
})
