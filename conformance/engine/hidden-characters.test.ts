import { expect, test } from 'vitest'
import { hiddenCharacters, printableJson, showHidden } from './hidden-characters.ts'

const hidden = '\u0000\u001b[31m\u007f\u009b\u061c\u200e\u2028\u202e\u2066\u2069'
const shown = 'a\tb\nü🦊אב'

test('hidden characters are escaped in JSON, and keep their value', () => {
  const value = { [hidden]: [hidden, shown] }
  for (const json of [printableJson(value), printableJson(value, 2)]) {
    expect(json.search(hiddenCharacters)).toBe(-1)
    expect(JSON.parse(json)).toEqual(value)
  }
})

test('hidden characters are replaced by symbols', () => {
  expect(showHidden(hidden)).toBe('␀␛[31m��������')
  expect(showHidden(shown)).toBe(shown)
})
