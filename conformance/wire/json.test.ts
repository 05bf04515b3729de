import { expect, test } from 'vitest'
import { parseReceivedJson } from './json.ts'

test.for([
  '{"toString":1}',
  '{"valueOf":null,"a":"b"}',
  '[{"deep":[{"to\\u0053tring":"x"}]}]',
  '{"toString":{"valueOf":0}}',
])('objects in %s can become strings', (text) => {
  const value = parseReceivedJson(text)
  expect(() => [String(value), [value].flat().join('')]).not.toThrow()
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  expect(value).toEqual(JSON.parse(text))
})

test('JSON nested a million deep overflows no stack', () => {
  const text = `${'['.repeat(1_000_000)}"\\u0041"${']'.repeat(1_000_000)}`
  try {
    parseReceivedJson(text)
  } catch (error) {
    // JSON.parse itself may have a limit.
    expect(error).toBeInstanceOf(SyntaxError)
  }
})
