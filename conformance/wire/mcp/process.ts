import { spawn, type ChildProcess } from 'node:child_process'
import type { Pipes, PipesEnd, StdioCommand } from './places.ts'

/** Processes that are alive: none of them outlives the suite, whatever becomes of it. */
const alive = new Set<ChildProcess>()
let watching = false

/** Groups of processes, so that what a wrapper has started ends with it, are no thing of Windows. */
const grouped = process.platform !== 'win32'

/** Starts a subprocess without a shell, in a group of its own. Where that fails, `closed` says why. */
export function spawned({ command, args = [], env = {}, cwd }: StdioCommand): Pipes {
  if (!watching) process.once('exit', () => alive.forEach((child) => kill(child, 'SIGKILL')))
  watching = true
  const child = spawn(command, [...args], {
    env: { ...process.env, ...env },
    cwd,
    stdio: 'pipe',
    detached: grouped,
    windowsHide: true,
  })
  alive.add(child)
  const closed = new Promise<PipesEnd>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined)
        resolve({
          failure:
            error.code === 'ENOENT'
              ? `there is no command «${command}», or no folder to start it in`
              : error.message,
        })
    })
    child.once('close', (code, signal) =>
      resolve({ ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) }),
    )
    // Whatever it has started and left behind may hold its output open.
    child.once('exit', () => {
      kill(child, 'SIGKILL')
      alive.delete(child)
    })
  })
  void closed.then(() => alive.delete(child))
  return {
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    closed,
    close: (force = false) => kill(child, force ? 'SIGKILL' : 'SIGTERM'),
  }
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (grouped) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // It has ended already.
  }
}
