import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Milliseconds until a server must be ready. It starts slowly if other servers start as well. */
const startTimeoutMs = 120_000

/** A server in a separate process. */
export interface ServerProcess<Facts> {
  /** What the server printed when it was ready, such as its address. */
  facts: Facts
  close(): Promise<void>
}

/**
 * Starts a server with an interpreter. The server prints one line of JSON when it is ready. It
 * exits when its standard input is closed, which also happens if this process dies.
 */
export async function startServerProcess<Facts>(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess<Facts>> {
  const child = spawn(command, args, {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
  const ended = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const close = async () => {
    child.stdin.end()
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(late)
  }
  const early = ended.then(() => {
    throw new Error(`the server exited: ${errors}`)
  })
  try {
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(startTimeoutMs) }),
      early,
    ])) as [string]
    return { facts: JSON.parse(line) as Facts, close }
  } catch (error) {
    await close()
    throw error
  }
}
