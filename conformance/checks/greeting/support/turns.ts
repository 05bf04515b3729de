import { SharedExclusiveLock, type Gate } from '../../../engine/index.ts'

/**
 * Lets the checks of a run send streams at the same time, until the server refuses a stream because
 * other streams are open. From then on, the checks send streams one after the other.
 */
export class StreamTurns {
  private readonly lock = new SharedExclusiveLock()
  private isInTurn = false

  /**
   * Makes checks send streams one after the other. Called when the server has refused a stream
   * because other streams were open.
   */
  takeTurns(): void {
    this.isInTurn = true
  }

  /** Wraps a gate. Entering the wrapped gate first waits for the caller's turn to send. */
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
