import { createContext, Script } from 'node:vm'

// Patterns are the target's own: some of them take for ever. Another realm can be interrupted.
const realm = createContext({ pattern: '', flags: '', text: '' })
const tests = new Script('new RegExp(pattern, flags).test(text)')
/** Milliseconds of processor time for one pattern on one text. */
const timeLimit = 50
/** Characters on which a pattern is tried. */
const maxLength = 1000

/** Whether a text fits a pattern; undefined where nobody can be sure: dialects of patterns differ, and some take too long. */
export function fitsPattern(text: string, pattern: string): boolean | undefined {
  if (text.length > maxLength) return undefined
  const found = ['u', ''].map((flags) => testPattern(text, pattern, flags))
  return found[0] === found[1] ? found[0] : undefined
}

function testPattern(text: string, pattern: string, flags: string): boolean | undefined {
  let spent = 0
  // The engine stops by the wall's clock: on a busy machine the pattern had little of that time.
  while (spent < timeLimit) {
    const before = process.cpuUsage()
    try {
      Object.assign(realm, { pattern, flags, text })
      return tests.runInContext(realm, { timeout: timeLimit }) === true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    }
    const { user, system } = process.cpuUsage(before)
    spent += Math.max(1, (user + system) / 1000)
  }
  return undefined
}
