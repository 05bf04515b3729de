import { expect, test } from 'vitest'
import type { DefinitionFinding } from '../../../definitions/index.ts'
import { describeFindings } from './findings-of-session.ts'

/** A finding about a tool, or about one of its fields. */
const finding = (
  tool: string,
  problem: string,
  fix: string,
  field?: string,
): DefinitionFinding => ({
  rule: 'field-description',
  requirement: 'TOOL-INPUT-02',
  tool,
  path: field === undefined ? '$.tools[0]' : `$.tools[0].inputSchema.properties.${field}`,
  severity: 'error',
  problem,
  fix,
})

test('a problem of one tool is one line', () => {
  expect(describeFindings([finding('echo', 'has no description', 'add one', 'text')])).toBe(
    'no description (add one): echo.text',
  )
})

test('a problem of several tools has a bullet for each tool, with all its fields', () => {
  const found = [
    finding('echo', 'has no description', 'add one', 'text'),
    finding('sum', 'has no description', 'add one', 'a'),
    finding('sum', 'has no description', 'add one', 'b'),
    finding('echo', 'has no title', 'add "Echo"'),
  ]
  expect(describeFindings(found)).toBe(
    'no description (add one):\n• echo.text\n• sum.a, sum.b\nno title (add "Echo"): echo',
  )
})

test('each tool has its own fix if the fixes differ', () => {
  const found = ['echo', 'sum'].map((tool) => finding(tool, 'has no title', `add "${tool}"`))
  expect(describeFindings(found)).toBe('no title:\n• echo (add "echo")\n• sum (add "sum")')
})

test('lists up to thirteen tools; of more tools, lists twelve and counts the others', () => {
  const of = (number: number) =>
    describeFindings(
      Array.from({ length: number }, (_, index) => finding(`tool${index}`, 'is bad', 'fix it')),
    ).split('\n')
  expect(of(13)).toHaveLength(1 + 13)
  expect(of(15)).toHaveLength(1 + 13)
  expect(of(15).at(-1)).toBe('• and 3 more')
})
