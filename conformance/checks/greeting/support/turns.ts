import { SharedExclusiveLock, type Gate } from '../../../engine/index.ts'

/**
 * Lets the checks of a run send streams at the same time, until the server has refused one because
 * others were open. From then on, they send one after the other.
 */
export class StreamTurns {
  private readonly lock = new SharedExclusiveLock()
  private isInTurn = false

  /** Called when the server has refused a stream because others were open. */
  takeTurns(): void {
    this.isInTurn = true
  }

  /** A gate that also waits for the caller's turn. */
  gateOf(gate: Gate): Gate {
    return {
      concurrency: gate.concurrency,
      enter: async (priority) => {
        const release = await this.lock.acquire({ shared: !this.isInTurn })
        const leave = await gate.enter(priority)
        return () => {
          leave()
          release()
        }
      },
    }
  }
}
