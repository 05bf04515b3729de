import { expect, test } from 'vitest'
import { reportersOf, selectingOptions } from './options.ts'

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

test('the options that select checks do not depend on their order', () => {
  const common = { report: 'report', exchanges: 'failed', preflight: true }
  expect(
    selectingOptions({
      ...common,
      only: ['IMG-GET,IMG-B', 'IMG-GET'],
      level: ['must'],
      bail: true,
    }),
  ).toEqual(['--level must', '--only IMG-B', '--only IMG-GET'])
  expect(selectingOptions({ ...common, failed: true, skip: ['IMG'] })).toEqual(['--failed'])
  expect(selectingOptions(common)).toEqual([])
})
