import { describe, expect, test } from 'vitest'
import type { Verdict } from '../engine/index.ts'
import { runOf, verdictOf } from './compare.testing.ts'
import { describeSelections, matrixOf } from './matrix.ts'
import { matrixPage } from './matrix-page.ts'

const hostile = '<script>alert("&")</script>\u001b[31m'
const failed = {
  expectations: [{ name: 'a', held: false, expected: 'status 400', received: hostile }],
}
const go = runOf(
  [
    verdictOf('IMG-UPLOAD-01', 'pass'),
    verdictOf('IMG-UPLOAD-04', 'fail', { title: 'first', ...failed }),
    verdictOf('IMG-UPLOAD-04', 'pass', { title: 'second' }),
    verdictOf('IMG-UPLOAD-13', 'observed', { observations: ['status 400'] }),
  ],
  { name: hostile, exit: 1 },
)
const rust = runOf(
  [
    verdictOf('IMG-UPLOAD-13', 'observed', { observations: ['status 409'] }),
    verdictOf('IMG-UPLOAD-01', 'pass'),
    verdictOf('IMG-NEWER-01' as Verdict['requirement'], 'pass', { topic: 'upload' }),
  ],
  { name: 'rust' },
)

describe('the matrix', () => {
  const matrix = matrixOf([go, rust])

  test('has the requirements in the order of the catalogue, and marks differences', () => {
    const summary = (topics: typeof matrix.open) =>
      topics
        .flatMap(({ rows }) => rows)
        .map(({ requirement, cells, differs }) => [
          requirement,
          ...cells.map(({ outcome }) => outcome),
          differs,
        ])
    expect(summary(matrix.required)).toEqual([
      ['IMG-UPLOAD-01', 'pass', 'pass', false],
      ['IMG-UPLOAD-04', 'fail', undefined, false],
      ['IMG-NEWER-01', undefined, 'pass', false],
    ])
    expect(summary(matrix.open)).toEqual([['IMG-UPLOAD-13', 'observed', 'observed', true]])
  })

  test('names the selections of the runs if they differ', () => {
    const part = { ...rust, name: 'part', selected: ['--only IMG-UPLOAD'] }
    const broken = { ...part, name: 'broken', problem: 'there is no such file' }
    const described =
      'The runs selected different checks (rust: all checks; part: --only IMG-UPLOAD).'
    expect(describeSelections([rust, part, broken])).toContain(described)
    expect(matrixPage(matrixOf([rust, part]))).toContain(`<p>${described}`)
    expect(describeSelections([rust, go, broken])).toBeUndefined()
    expect(matrixPage(matrix)).not.toContain('selected different checks')
  })

  test('is a page without scripts, in which everything is escaped', () => {
    const page = matrixPage(matrix)
    expect(page).not.toMatch(/<script|\u001b|https?:\/\//)
    expect(page).toContain('&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;')
    expect(page.match(/<caption>/g)).toHaveLength(3)
    for (const tag of ['table', 'tbody', 'tr', 'th', 'td', 'details', 'ul', 'li', 'div', 'span'])
      expect([tag, page.match(new RegExp(`<${tag}[ >]`, 'g'))?.length]).toEqual([
        tag,
        page.match(new RegExp(`</${tag}>`, 'g'))?.length,
      ])
  })

  test('shows the outcome, its reason, and what is done where the contract leaves a choice', () => {
    const page = matrixPage(matrix)
    expect(page).toContain('✗ failed 1 of 2')
    expect(page).toContain('first: expected status 400; received &lt;script&gt;')
    expect(page).toContain('<li>status 409</li>')
    expect(page).toContain('not in this run')
    expect(page).toContain('Show only the 1 of 4 requirements')
  })
})
