import { expect, test } from 'vitest'
import type { Finding, Verdict } from '../engine/index.ts'
import { briefOf, explanationOf } from './explanation.ts'

/** A failure of a check with these findings, each with what was expected and received. */
function failure(...findings: [expected: string, received: string][]): Verdict {
  const expectations = findings.map(([expected, received]): Finding => ({
    name: 'schema',
    held: false,
    expected,
    received,
  }))
  return {
    key: 'IMG-IMAGE-06 returns upload times in ISO 8601',
    requirement: 'IMG-IMAGE-06',
    title: 'returns upload times in ISO 8601',
    contract: 'images',
    topic: 'image',
    role: 'server',
    level: 'must',
    verdict: 'fail',
    expectations,
    exchanges: [],
    durationMs: 1,
  }
}

/** The lines of an explanation that contain what was expected and received. */
const linesOf = (verdict: Verdict) =>
  explanationOf(verdict, () => 'touchstone')
    .filter(([label]) => label === 'expected' || label === 'received')
    .map(([label, text]) => `${label} ${text}`)

const at = (place: string) =>
  `the value at ${place} in the response to listImages: an ISO 8601 timestamp`

test('findings about the same place in several items are merged, with an asterisk as the index', () => {
  const times = failure(
    [at('/result/images/0/uploaded'), '"yesterday"'],
    [at('/result/images/1/uploaded'), '"yesterday"'],
    [at('/result/images/12/uploaded'), '"yesterday"'],
    [at('/result/uploaded'), '"yesterday"'],
  )
  expect(linesOf(times)).toEqual([
    `expected ${at('/result/images/*/uploaded')}`,
    'received "yesterday"   (3 times)',
    `expected ${at('/result/uploaded')}`,
    'received "yesterday"',
  ])
})

test('several different values are counted, and the first one is shown', () => {
  const times = failure(
    [at('/images/0/uploaded'), '"yesterday"'],
    [at('/images/1/uploaded'), '"today"'],
  )
  expect(linesOf(times)).toEqual([
    `expected ${at('/images/*/uploaded')}`,
    'received 2 wrong values, such as "yesterday"',
  ])
})

test('a single finding keeps its index, and numbers outside of a JSON pointer are kept', () => {
  expect(linesOf(failure([at('/images/3/uploaded'), '1']))[0]).toContain('/images/3/uploaded')
  const paths = failure(['a refusal of /v4/42/a', '200'], ['a refusal of /v4/43/a', '200'])
  expect(linesOf(paths)).toHaveLength(4)
})

test('a brief explanation has one line, even if it contains a list with bullets', () => {
  const list = 'no title:\n• echo\n• get\nno description:\n• sum'
  expect(briefOf(failure(['a title', list]))).toBe(
    'expected a title; received no title: echo, get; no description: sum',
  )
})

test('the difference of two JSON values is described', () => {
  const metadata = failure([
    'result.metadata {"Source":"file","none":null,"Nested":{"Deep":[1,2]}}',
    'result.metadata {"Source":"file","Nested":{"Deep":[1,"2"]}}',
  ])
  expect(explanationOf(metadata, () => 'touchstone')).toContainEqual([
    'differs',
    '`none`: expected null, received nothing; `Nested.Deep.1`: expected 2, received "2"',
  ])
})

test('the difference of long values is shown where they differ', () => {
  const start = 'x'.repeat(100)
  const names = failure([
    JSON.stringify({ name: `${start}one`, ids: [1, 2, 3] }),
    JSON.stringify({ name: `${start}two`, ids: [1] }),
  ])
  expect(explanationOf(names, () => 'touchstone')).toContainEqual([
    'differs',
    `\`name\`: expected "…${'x'.repeat(20)}one", received "…${'x'.repeat(20)}two"; \`ids\`: expected 3 items, received 1`,
  ])
})

test.each([
  ['status 404', '200  {"success":true}'],
  ['metadata {"a":1}', 'meta {"a":2}'],
  ['metadata {"a":1}', 'metadata {"a":'],
  ['metadata {"a":1,"b":2}', 'metadata {"b":2,"a":1}'],
])('no difference is described for "%s" and "%s"', (expected, received) => {
  const labels = explanationOf(failure([expected, received]), () => 'touchstone').map(
    ([label]) => label,
  )
  expect(labels).not.toContain('differs')
})

test('the label of an expectation can contain a colon', () => {
  const refused = failure(['a refusal', '201'])
  const [finding] = refused.expectations
  const lines = explanationOf(
    { ...refused, expectations: [{ ...finding!, name: 'a javascript: URI: is refused' }] },
    () => 'touchstone',
  )
  expect(lines).toContainEqual(['case', 'a javascript: URI'])
})

test('the cases of one expectation are listed under it', () => {
  const failed = failure(
    ['HTTP status 400', 'HTTP 200'],
    ['HTTP status 400', 'HTTP 202, no body'],
    ['HTTP status 400', 'HTTP 200'],
  )
  const cases = ['a request', 'a notification', 'an event stream']
  for (const [index, name] of cases.entries()) failed.expectations[index]!.name = `${name}: refuses`
  expect(linesOf(failed)).toEqual([
    'expected HTTP status 400',
    'received • a request, an event stream: HTTP 200 (2 times)\n• a notification: HTTP 202, no body',
  ])
})
