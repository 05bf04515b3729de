import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A blind implementation in a separate process. */
export interface BlindProcess<Facts> {
  /** What the server prints when it is ready, such as its address. */
  facts: Facts
  close(): Promise<void>
}

// The servers are next to the sources, also if this module runs compiled.
const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../conformance/proof/blind/' : './blind/',
  import.meta.url,
)

/** The path of a file in the folder of the blind implementations. */
export const blindPath = (file: string): string => fileURLToPath(new URL(file, folder))

/**
 * Starts a blind implementation in Python, which prints its addresses as one line of JSON and exits
 * when its standard input is closed.
 */
export async function startPython<Facts>(
  program: string,
  args: readonly string[],
): Promise<BlindProcess<Facts>> {
  const child = spawn('python3', [blindPath(program), ...args], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' },
  })
  return { facts: await readFacts<Facts>(child), close: () => end(child) }
}

async function readFacts<Facts>(child: ChildProcessWithoutNullStreams): Promise<Facts> {
  let errors = ''
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const lines = createInterface(child.stdout)
  const [line] = (await Promise.race([
    once(lines, 'line', { signal: AbortSignal.timeout(30_000) }),
    once(child, 'exit').then(() => {
      throw new Error(`the blind implementation exited: ${errors}`)
    }),
  ]).catch(async (error: unknown) => {
    await end(child)
    throw error
  })) as [string]
  return JSON.parse(line) as Facts
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.stdin.end()
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}
