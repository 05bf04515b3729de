import { describe, expect, test } from 'vitest'
import { findJsonFailure, showNotJson } from './json-failure.ts'
import { newRedactor } from './secrets.ts'

const valid = [
  '{"a": [1, -2.5e+3, 0, "x\\u00e9\\n\\"", true, false, null, {}, []], "b": {"c": ""}}',
  ' "text" ',
  '-0',
  '[[[]]]',
]

test.each(valid)('finds no failure in %s', (text) => {
  expect(findJsonFailure(text)).toBeUndefined()
})

test.each([
  ['{"a": 1', 'unfinished', 7],
  ['{"a": "b', 'unfinished', 8],
  ['{"a": "b\\u00', 'unfinished', 12],
  ['{"a": tru', 'unfinished', 9],
  ['{"a": 1.', 'unfinished', 8],
  ['', 'unfinished', 0],
  ['{}{}', 'followed', 2],
  ['1 2', 'followed', 2],
  ['{"a": 1,}', 'invalid', 8],
  ['[1,]', 'invalid', 3],
  ['[1 2]', 'invalid', 3],
  ["{'a': 1}", 'invalid', 1],
  ['{"a": None}', 'invalid', 6],
  ['{"a" 1}', 'invalid', 5],
  ['{"a": "b\nc"}', 'invalid', 8],
  ['{"a": "\\x"}', 'invalid', 7],
  ['[1}', 'invalid', 2],
  ['{"a":}', 'invalid', 5],
  ['{"a": NaN}', 'invalid', 6],
] as const)('finds where %s stops being JSON', (text, reason, at) => {
  expect(findJsonFailure(text)).toEqual({ reason, at })
})

test('agrees with JSON.parse about every change of one character', () => {
  for (const text of valid)
    for (let at = 0; at < text.length; at += 1)
      for (const character of ['', '"', '\\', ',', '}', ']', '1', 't', ' ', '.', '\n', ':']) {
        const changed = text.slice(0, at) + character + text.slice(at + 1)
        expect([changed, findJsonFailure(changed) === undefined]).toEqual([
          changed,
          isJson(changed),
        ])
      }
})

describe('a string that is not JSON is shown', () => {
  const redact = newRedactor({ TOKEN: 'sesame-"-open-sesame' })
  const long = `{"plants": [${Array.from({ length: 50 }, (_, id) => `{"id": ${id}}`).join(', ')}]`
  const tail = '{"id": 45}, {"id": 46}, {"id": 47}, {"id": 48}, {"id": 49}]'

  test.each([
    ['as a whole if it is short', '{"a": 1', '"{\\"a\\": 1"'],
    [
      'at its end if it ends too early',
      long,
      `it ends too early, after ${JSON.stringify(`… ${tail}`)}`,
    ],
    [
      'at the first wrong character',
      `${long}, "next": None, "more": "${'x'.repeat(100)}"}`,
      `at character ${long.length + 11}, ${JSON.stringify(`None, "more": "${'x'.repeat(45)}…`)} cannot follow ${JSON.stringify(`…${tail.slice(9)}, "next": `)}`,
    ],
    [
      'where other text follows',
      `${long}} {`,
      `at character ${long.length + 3}, "{" cannot follow ${JSON.stringify(`…${tail.slice(1)}} `)}`,
    ],
    [
      'as a whole line of a log',
      `${'[INFO] '}${'x'.repeat(200)}`,
      `at character 2 of "[INFO] ${'x'.repeat(113)}"…`,
    ],
    [
      'at its beginning if it does not begin like JSON',
      `<p>${'x'.repeat(200)}`,
      `"<p>${'x'.repeat(117)}"…`,
    ],
    [
      'without secrets',
      `${long}, "token": sesame-"-open-sesame}`,
      expect.stringMatching(/^at character \d+, "\$TOKEN}" cannot follow/),
    ],
    [
      'without secrets that contain the failure',
      `${long}, "token": "sesame-"-open-sesame"}`,
      expect.stringMatching(/^at character \d+, "\$TOKEN\\"}" cannot follow/),
    ],
  ])('%s', (_, text, shown) => {
    expect(showNotJson(text, redact)).toEqual(shown)
  })
})

test('reads long and deeply nested JSON', () => {
  const long = `{"a": "${'x'.repeat(3_000_000)}"`
  expect(findJsonFailure(long)).toEqual({ reason: 'unfinished', at: long.length })
  expect(findJsonFailure('['.repeat(300_000))).toMatchObject({ reason: 'unfinished' })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
