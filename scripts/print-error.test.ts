import { afterEach, expect, test, vi } from 'vitest'
import { printError, UsageError } from './print-error.ts'

afterEach(() => vi.restoreAllMocks())

/** What an error prints to standard output on GitHub Actions. */
function annotate(...words: string[]): string {
  let out = ''
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text)
    return true
  })
  const error = new UsageError('100 % wrong.\nNext: correct it')
  expect(printError(error, { GITHUB_ACTIONS: 'true' }, ['node', 'touchstone', ...words])).toBe(3)
  return out
}

test('on GitHub Actions, an error of test is an annotation', () => {
  expect(annotate('test')).toBe(
    '::error title=touchstone test::100 %25 wrong.%0ANext: correct it\n',
  )
})

test('an error does not mix with JSON or with the output of other commands', () => {
  expect(annotate('test', '--json')).toBe('')
  expect(annotate('validate')).toBe('')
})
