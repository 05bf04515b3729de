import { createContext, Script } from 'node:vm'

// Patterns come from the target, and some never terminate. Code in another context can be
// interrupted.
const context = createContext({ pattern: '', flags: '', input: '' })
const test = new Script('new RegExp(pattern, flags).test(input)')
/** Processor time for one pattern and one string, in milliseconds. */
const timeLimit = 50
/** The longest string that is tested, in characters. */
const maxLength = 1000

/**
 * Whether a string matches a pattern; undefined if that is uncertain, because dialects of regular
 * expressions differ, or because the test takes too long.
 */
export function fitsPattern(input: string, pattern: string): boolean | undefined {
  if (input.length > maxLength) return undefined
  const found = ['u', ''].map((flags) => testPattern(input, pattern, flags))
  return found[0] === found[1] ? found[0] : undefined
}

function testPattern(input: string, pattern: string, flags: string): boolean | undefined {
  let spent = 0
  // The timeout of the engine is in wall-clock time. On a busy machine little of it was available
  // to the pattern, so processor time is counted.
  while (spent < timeLimit) {
    const before = process.cpuUsage()
    try {
      Object.assign(context, { pattern, flags, input })
      return test.runInContext(context, { timeout: timeLimit }) === true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    }
    const { user, system } = process.cpuUsage(before)
    spent += Math.max(1, (user + system) / 1000)
  }
  return undefined
}
