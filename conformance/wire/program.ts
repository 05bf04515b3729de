import type { Clock } from '../engine/index.ts'
import { startProcess, type Pipes, type ProcessEnd } from './mcp/process.ts'

/** Output beyond this many characters is discarded. */
const maxOutputCharacters = 2000

/** How long a program may run, in milliseconds. */
const timeout = 120_000

/**
 * Runs a program without a shell, until it ends. Returns a description of the failure; undefined if
 * the program exits with 0. Never rejects. The signal cancels the program.
 */
export async function runProgram(
  command: { command: string; args?: readonly string[] | undefined },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<string | undefined> {
  const pipes = startProcess(command)
  const describeOutput = collectOutput(pipes)
  const waiting = new AbortController()
  const stop = () => waiting.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const end = await Promise.race([
    pipes.closed,
    clock.sleep(timeout, waiting.signal, 'the end of a program').then(() => undefined),
  ])
  signal.removeEventListener('abort', stop)
  stop()
  if (end === undefined) {
    await pipes.close(true)
    await pipes.closed
    return signal.aborted
      ? 'the program was cancelled'
      : `the program did not end within ${timeout / 1000} s${describeOutput()}`
  }
  return end.code === 0 ? undefined : `${describeEnd(end)}${describeOutput()}`
}

/**
 * Closes the input of a program and reads its output, so that the program does not block. The
 * returned function describes the last line of the output.
 */
export function collectOutput({ input, output, errors }: Pipes): () => string {
  input.on('error', () => {})
  input.end()
  let text = ''
  for (const stream of [output, errors])
    stream
      ?.on('error', () => {})
      .on(
        'data',
        (piece: Buffer) => (text = (text + piece.toString('utf8')).slice(-maxOutputCharacters)),
      )
  return () => {
    const last = text
      .split('\n')
      .map((line) => line.trim())
      .findLast((line) => line !== '')
    return last === undefined ? '' : `; its last output: ${last.slice(0, 300)}`
  }
}

/** Describes how a program ended. */
export function describeEnd({ failure, code, signal }: ProcessEnd): string {
  if (failure !== undefined) return `the program could not be started (${failure})`
  return `the program ended (${code === undefined ? (signal ?? 'for no known reason') : `exit code ${code}`})`
}
