import { SharedExclusiveLock, type Gate } from '../../../engine/index.ts'

/**
 * Lets checks send streams at the same time until the server refuses one because others are open.
 * From then on, the checks send streams one after the other.
 */
export class StreamTurns {
  private readonly lock = new SharedExclusiveLock()
  private isInTurn = false

  /**
   * Makes checks send streams one after the other. Call it when the server has refused a stream
   * because others were open.
   */
  takeTurns(): void {
    this.isInTurn = true
  }

  /** Wraps a gate, so that entering it first waits for the caller's turn to send. */
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
