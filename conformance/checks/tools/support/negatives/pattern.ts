import { createContext, Script } from 'node:vm'

// Patterns come from the target, and some take practically forever to match. A script in a separate
// context can be interrupted.
const context = createContext({ pattern: '', input: '' })
// Tests the pattern with and without the flag `u` in one call, because each call starts a thread
// that watches the time. The result is undefined for an invalid pattern.
const test = new Script(`['u', ''].map((flags) => {
  try {
    return new RegExp(pattern, flags).test(input)
  } catch {}
})`)
/** The maximum processor time for one pattern and one string, in milliseconds. */
const timeLimit = 50
/** The longest string that is tested, in characters. */
const maxLength = 1000

/** Results by pattern and string. The same strings are tested many times. */
const known = new Map<string, boolean | undefined>()
const maxKnown = 1000

/**
 * Whether a string matches a pattern; undefined if that is uncertain, because dialects of regular
 * expressions differ, or because the test takes too long.
 */
export function fitsPattern(input: string, pattern: string): boolean | undefined {
  if (input.length > maxLength) return undefined
  const key = `${pattern}\0${input}`
  if (!known.has(key)) {
    const [unicode, plain] = testPattern(input, pattern)
    if (known.size >= maxKnown) known.clear()
    known.set(key, unicode === plain ? unicode : undefined)
  }
  return known.get(key)
}

function testPattern(input: string, pattern: string): (boolean | undefined)[] {
  let spent = 0
  // `runInContext` measures its timeout in wall-clock time, of which the script gets only a part on
  // a busy machine. So the test is repeated until it has used enough processor time.
  while (spent < timeLimit) {
    const before = process.cpuUsage()
    try {
      Object.assign(context, { pattern, input })
      return test.runInContext(context, { timeout: timeLimit }) as (boolean | undefined)[]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return []
    }
    const { user, system } = process.cpuUsage(before)
    spent += Math.max(1, (user + system) / 1000)
  }
  return []
}
