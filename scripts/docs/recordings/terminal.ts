import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The size of the terminals, in characters. */
export const size = { columns: 80, lines: 24 } as const

/** A terminal in which a person enters commands, and whose screen can be read. */
export interface TmuxTerminal {
  /** Enters a command, or text for the running command. */
  enter(text: string): Promise<void>
  /** Sends a key by its tmux name, such as `C-c`. */
  press(key: string): Promise<void>
  /** Returns the screen, without empty lines at its end. */
  read(): Promise<string>
  /** Waits until the screen matches, and returns it. Throws after a minute. */
  waitFor(pattern: RegExp): Promise<string>
  close(): Promise<void>
}

/** How often the screen is read while something is awaited, and for how long. */
const [pollMs, limitMs] = [100, 60_000]

/** Opens a terminal in a folder, with a shell whose prompt is `$`. */
export async function openTerminal(
  name: string,
  folder: string,
  environment: Record<string, string>,
): Promise<TmuxTerminal> {
  const socket = `touchstone-${process.pid}-${name}`
  const tmux = async (...args: string[]) => (await run('tmux', ['-L', socket, ...args])).stdout
  await tmux(
    ...['-f', '/dev/null', 'new-session', '-d', '-c', folder],
    ...['-x', String(size.columns), '-y', String(size.lines)],
    ...Object.entries(environment).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
    // Some shells reset PS1 if they inherit it.
    "exec env PS1='$ ' bash --norc --noprofile",
  )
  await tmux('set', '-g', 'status', 'off')
  const read = async () => (await tmux('capture-pane', '-p')).trimEnd()
  const terminal: TmuxTerminal = {
    read,
    enter: async (text) => {
      await tmux('send-keys', '-l', text)
      await tmux('send-keys', 'Enter')
    },
    press: async (key) => void (await tmux('send-keys', key)),
    waitFor: async (pattern) => {
      for (const end = Date.now() + limitMs; Date.now() < end; await delay(pollMs)) {
        const screen = await read()
        if (pattern.test(screen)) return screen
      }
      throw new Error(`no ${String(pattern)} on the screen:\n${await read()}`)
    },
    close: async () => void (await tmux('kill-server')),
  }
  try {
    await terminal.waitFor(/^\$/)
  } catch (error) {
    await terminal.close()
    throw error
  }
  return terminal
}
