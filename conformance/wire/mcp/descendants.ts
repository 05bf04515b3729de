import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Marks a subprocess with an environment variable, which the processes that it starts inherit. */
export interface Mark {
  readonly environment: Readonly<Record<string, string>>
  /**
   * Kills the processes with this mark. A process that started its own session is in no process
   * group of the suite, so only the mark identifies it. Only Linux shows the environment of other
   * processes; on other systems, this does nothing.
   */
  killAll(): void
}

const variable = 'TOUCHSTONE_PROCESS'

export function newMark(): Mark {
  const id = randomUUID()
  return {
    environment: { [variable]: id },
    killAll() {
      if (process.platform !== 'linux') return
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        try {
          if (readFileSync(`/proc/${pid}/environ`).includes(`${variable}=${id}`))
            process.kill(Number(pid), 'SIGKILL')
        } catch {
          // The process has ended, or belongs to another user.
        }
    },
  }
}
