import { describe, expect, it } from 'vitest'
import { clockOf } from '../engine/index.ts'
import { runProgram } from './program.ts'

/** Runs a script in Node.js. */
const run = (script: string, { speed = 1, signal = new AbortController().signal } = {}) =>
  runProgram({ command: process.execPath, args: ['-e', script] }, { clock: clockOf(speed), signal })

describe('runProgram', () => {
  it('resolves to undefined if the program exits with 0', async () => {
    expect(await run('console.log("done")')).toBeUndefined()
  })

  it('describes the exit code and the last output', async () => {
    expect(await run('console.error("no such branch"); process.exit(3)')).toBe(
      'the program ended (exit code 3); its last output: no such branch',
    )
  })

  it('describes a program that cannot be started', async () => {
    expect(
      await runProgram(
        { command: 'touchstone-no-such-program' },
        { clock: clockOf(1), signal: new AbortController().signal },
      ),
    ).toMatch(/could not be started .*does not exist/)
  })

  it('kills a program that does not end', async () => {
    expect(await run('setInterval(() => {}, 1000)', { speed: 1000 })).toMatch(
      /^the program did not end within 120 s/,
    )
  })

  it('kills a program when the run is cancelled', async () => {
    const cancelled = new AbortController()
    const running = run('setInterval(() => {}, 1000)', { signal: cancelled.signal })
    cancelled.abort()
    expect(await running).toBe('the program was cancelled')
  })
})
