import { expect, test } from 'vitest'
import { reportersOf } from './options.ts'

test.each<[selected: string[] | undefined, reporters: string[]]>([
  [undefined, ['console', 'json']],
  [['html,markdown'], ['html', 'markdown']],
  [['default,html'], ['console', 'json', 'html']],
  [
    ['badge', 'default', 'json'],
    ['badge', 'console', 'json'],
  ],
])('--reporter %j selects %j', (selected, reporters) => {
  const options = selected === undefined ? {} : { reporter: selected }
  expect(reportersOf(options, ['console', 'json'])).toEqual(reporters)
})

test('suggests the nearest name for a reporter that does not exist', () => {
  expect(() => reportersOf({ reporter: ['defualt'] }, [])).toThrow(/Did you mean default\?/)
})
