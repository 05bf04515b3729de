/**
 * The stages of a run, in their order. A check that needs a calmer target waits for a stage, and
 * goes on when all other checks have ended or wait as well:
 *
 * - `late-writes`: every other check has ended, waits for a stage, or waits for such a check;
 * - `stable-reads`: no other check writes, so that several reads can be compared;
 * - `single-writes`: one check after the other writes, and no other check sends anything that could
 *   empty a cache of the target;
 * - `final`: no other check compares reads. The cleanup waits for this stage, as do checks that
 *   change the whole target, such as its clock.
 */
export const stages = ['late-writes', 'stable-reads', 'single-writes', 'final'] as const
export type Stage = (typeof stages)[number]

/** A check that is not active, but goes on later. */
interface Waiter {
  readonly name: string
  readonly open: () => void
}

/** Knows the active checks by name, and opens the next stage when no check is active. */
export class Stages {
  private readonly waitsFor: (name: string, others: readonly string[]) => boolean
  private readonly active = new Set<string>()
  private idleWaiters: Waiter[] = []
  /** Index of the current stage. */
  private reached = -1
  private waiting: (Waiter & { readonly stage: Stage; readonly isActive: boolean })[] = []

  /** `waitsFor` returns whether a check waits for one of `others`, directly or indirectly. */
  constructor(waitsFor: (name: string, others: readonly string[]) => boolean) {
    this.waitsFor = waitsFor
  }

  /** Records that a check becomes active. */
  enter(name: string): void {
    this.active.add(name)
  }

  /** Records that an active check ends. */
  leave(name: string): void {
    this.active.delete(name)
    this.openNext()
  }

  /** Must be called when a check starts to wait for another, because the run may then be idle. */
  waitAdded(): void {
    if (this.idleWaiters.length > 0 || this.waiting.length > 0) this.openNext()
  }

  /**
   * Waits until no check is active, apart from checks that themselves wait for one that waits here
   * or for a stage. Then makes the caller active; the caller must not be active before. If there
   * are several callers, they continue one by one.
   */
  async waitUntilIdle(name: string): Promise<void> {
    const opened = new Promise<void>((open) => this.idleWaiters.push({ name, open }))
    this.openNext()
    await opened
  }

  /**
   * Waits for a stage. Returns false at once if the run has reached it already. An active caller
   * does not count as active while it waits.
   */
  async waitFor(name: string, stage: Stage, { isActive = true } = {}): Promise<boolean> {
    if (stages.indexOf(stage) <= this.reached) return false
    const opened = new Promise<void>((open) => this.waiting.push({ name, stage, isActive, open }))
    if (isActive) this.active.delete(name)
    this.openNext()
    await opened
    return true
  }

  /** Whether no check is active, apart from checks that wait for one that waits here. */
  private get isIdle(): boolean {
    // The cleanup after a first attempt waits under the name of its check, which may be active
    // again.
    const suspended = this.waiting.filter(({ isActive }) => isActive)
    const waiting = [...this.idleWaiters, ...suspended].map(({ name }) => name)
    return [...this.active].every((name) => this.waitsFor(name, waiting))
  }

  private openNext(): void {
    // Opens the stage only after pending callbacks: the check that has just ended may let another
    // check continue, which is then active again.
    if (this.isIdle) setImmediate(() => this.open())
  }

  private open(): void {
    if (!this.isIdle) return
    const idleWaiter = this.idleWaiters.shift()
    if (idleWaiter !== undefined) {
      this.active.add(idleWaiter.name)
      return idleWaiter.open()
    }
    const next = stages.find((stage) => this.waiting.some((one) => one.stage === stage))
    if (next === undefined) return
    this.reached = stages.indexOf(next)
    const opened = this.waiting.filter(({ stage }) => stage === next)
    this.waiting = this.waiting.filter(({ stage }) => stage !== next)
    for (const { name, isActive } of opened) if (isActive) this.active.add(name)
    for (const { open } of opened) open()
  }
}
