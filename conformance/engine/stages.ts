/**
 * The stages of a run, in their order. A check that needs a calmer target waits for a stage, and
 * goes on when all other checks have ended or wait as well:
 *
 * - `late-writes`: every other check has ended or waits for a stage;
 * - `stable-reads`: no other check writes, so that several reads can be compared;
 * - `final`: no other check compares reads. For changes to the whole target, such as its clock, and
 *   for the cleanup.
 */
export const stages = ['late-writes', 'stable-reads', 'final'] as const
export type Stage = (typeof stages)[number]

/** Counts the active checks, and opens the next stage when no check is active. */
export class Stages {
  private activeCount = 0
  /** How many of the active checks wait for the verdict of another check. */
  private awaitingCount = 0
  private idleWaiters: (() => void)[] = []
  /** Index of the current stage. */
  private reached = -1
  private waiting: {
    readonly stage: Stage
    readonly isActive: boolean
    readonly open: () => void
  }[] = []

  /** Records that a check becomes active. */
  enter(): void {
    this.activeCount += 1
  }

  /** Records that an active check ends. */
  leave(): void {
    this.activeCount -= 1
    this.openNext()
  }

  /**
   * Waits for the verdict of another check. Meanwhile `waitUntilIdle` does not wait for the caller.
   */
  async whileAwaiting<T>(verdict: Promise<T>): Promise<T> {
    this.awaitingCount += 1
    this.openNext()
    try {
      return await verdict
    } finally {
      this.awaitingCount -= 1
    }
  }

  /**
   * Waits until no check is active, apart from checks that wait for a verdict. Then makes the
   * caller active; it must not be active before. If there are several callers, they continue one by
   * one.
   */
  async waitUntilIdle(): Promise<void> {
    const opened = new Promise<void>((open) => this.idleWaiters.push(open))
    this.openNext()
    await opened
  }

  /**
   * Waits for a stage. Returns false at once if the run has reached it already. An active caller
   * does not count as active while it waits.
   */
  async waitFor(stage: Stage, { isActive = true } = {}): Promise<boolean> {
    if (stages.indexOf(stage) <= this.reached) return false
    const opened = new Promise<void>((open) => this.waiting.push({ stage, isActive, open }))
    if (isActive) this.activeCount -= 1
    this.openNext()
    await opened
    return true
  }

  private openNext(): void {
    // Opens the stage only after pending callbacks: the check that has just ended may let another
    // check continue, which is then active again.
    if (this.activeCount === this.awaitingCount) setImmediate(() => this.open())
  }

  private open(): void {
    const idleWaiter =
      this.activeCount === this.awaitingCount ? this.idleWaiters.shift() : undefined
    if (idleWaiter !== undefined) {
      this.activeCount += 1
      return idleWaiter()
    }
    const next = stages.find((stage) => this.waiting.some((one) => one.stage === stage))
    if (this.activeCount > 0 || next === undefined) return
    this.reached = stages.indexOf(next)
    const opened = this.waiting.filter(({ stage }) => stage === next)
    this.waiting = this.waiting.filter(({ stage }) => stage !== next)
    this.activeCount += opened.filter(({ isActive }) => isActive).length
    for (const { open } of opened) open()
  }
}
