import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
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

test.each([[['--debug', 'test']], [['compare', 'a', 'b']], [['types']], [['lint-tools', 'x']]])(
  'on GitHub Actions, an error of %j is an annotation',
  (words) => {
    const command = words.find((word) => !word.startsWith('-'))
    expect(annotate(...words)).toMatch(`::error title=touchstone ${command}::100 %25 wrong.`)
  },
)

test('an error does not mix with JSON or with the output of other commands', () => {
  expect(annotate('test', '--json')).toBe('')
  expect(annotate('validate')).toBe('')
})

describe('the layout of an error', () => {
  /** What an error prints to standard error, which is a terminal of `columns` or none. */
  function print(message: string, columns?: number): string {
    let printed = ''
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      printed += String(text)
      return true
    })
    const { isTTY, columns: before } = process.stderr
    Object.assign(process.stderr, { isTTY: columns !== undefined, columns })
    onTestFinished(() => void Object.assign(process.stderr, { isTTY, columns: before }))
    printError(new UsageError(message), {}, ['node', 'touchstone', 'test'])
    return printed
  }
  const sentence = 'images.url is not set, and no option names the address of the server.'
  const command = '  touchstone test http://127.0.0.1:8080/client/v4 --account acc-1'

  test('on a terminal, sentences are wrapped at words, and examples stay as they are', () => {
    expect(print(`${sentence}\n${command}`, 50)).toBe(
      'error: images.url is not set, and no option names\n' +
        '       the address of the server.\n' +
        `       ${command}\n`,
    )
  })

  test('without a terminal, lines are not wrapped', () => {
    expect(print(sentence)).toBe(`error: ${sentence}\n`)
  })
})
