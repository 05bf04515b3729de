import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { newMark, type Mark } from './descendants.ts'

/**
 * A subprocess to start, without a shell. Its environment is `env` and those variables of this
 * process that programs need, such as PATH. Other variables are not passed on, because they could
 * contain secrets of the user.
 */
export interface StdioCommand {
  command: string
  args?: readonly string[] | undefined
  env?: Readonly<Record<string, string>> | undefined
  cwd?: string | undefined
}

/** How a subprocess ended. */
export interface ProcessEnd {
  /** The exit code, unless a signal ended the process. */
  code?: number | undefined
  /** The signal that ended the process. */
  signal?: string | undefined
  /** Why the process never started. */
  failure?: string | undefined
}

/** The streams of a subprocess, or of its replacement in tests. */
export interface Pipes {
  readonly input: Writable
  readonly output: Readable
  readonly errors?: Readable | undefined
  /** Resolves when the subprocess has ended; never rejects. */
  readonly closed: Promise<ProcessEnd>
  /** Sends SIGTERM, or SIGKILL with `force`. The caller must end `input` first. */
  close(force?: boolean): void | Promise<void>
}

/** Variables that programs need to start, to find their files, or to write text. */
const passedVariables =
  /^(path|home|user|logname|shell|term|tz|lang|language|lc_\w+|tmpdir|temp|tmp|systemroot|systemdrive|windir|comspec|pathext|appdata|localappdata|userprofile|homedrive|homepath|programfiles|programdata)$/i

const passedEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => passedVariables.test(name)))

/** The running subprocesses. They and their descendants are killed when the suite exits. */
const alive = new Map<ChildProcess, Mark>()
let isExitHandled = false

/**
 * Whether to start each subprocess in its own process group, so that a signal also reaches the
 * processes that the subprocess started. Windows has no process groups.
 */
const usesProcessGroups = process.platform !== 'win32'

/**
 * Starts a subprocess without a shell, in its own process group. If that fails, `closed` resolves
 * to the reason.
 */
export function startProcess({ command, args = [], env = {}, cwd }: StdioCommand): Pipes {
  if (!isExitHandled)
    process.once('exit', () => {
      for (const [child, mark] of alive) killAll(child, mark)
    })
  isExitHandled = true
  const mark = newMark()
  const child = spawn(command, [...args], {
    env: { ...passedEnvironment(), ...env, ...mark.environment },
    cwd,
    stdio: 'pipe',
    detached: usesProcessGroups,
    windowsHide: true,
  })
  alive.set(child, mark)
  const closed = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined)
        resolve({
          failure:
            error.code === 'ENOENT'
              ? `the command "${command}" or its working directory does not exist`
              : error.message,
        })
    })
    child.once('close', (code, signal) =>
      resolve({ ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) }),
    )
    // Processes that the subprocess started may still run, and keep its output open.
    child.once('exit', () => {
      killAll(child, mark)
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

function killAll(child: ChildProcess, mark: Mark): void {
  kill(child, 'SIGKILL')
  mark.killAll()
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (usesProcessGroups) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // The process has already ended.
  }
}
