import type { RequirementId } from '../../../generated/requirements/index.ts'
import {
  Blocked,
  Cancelled,
  type Clock,
  type Context,
  type Expectation,
  type Message,
  type Stage,
} from '../../engine/index.ts'
import { waitAtMost } from '../../wire/wait.ts'

/**
 * The operations that acting checks of every protocol can use. They are arrow functions, so that
 * checks can destructure them.
 */
export class CheckContext<M extends Message> {
  readonly clock: Clock
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal
  protected readonly context: Context<M>

  constructor(context: Context<M>) {
    this.context = context
    this.clock = context.clock
    this.signal = context.signal
  }

  /**
   * Runs `work` when the gate permits another request. The gate limits the number of simultaneous
   * requests, and their rate. `work` counts as one request, even if it sends several. The check
   * does not end before `work` has ended.
   */
  readonly runThroughGate = async <T>(work: () => Promise<T>): Promise<T> => {
    if (this.signal.aborted) throw new Cancelled()
    const leave = await this.context.gate.enter(this.context.priority)
    try {
      if (this.signal.aborted) throw new Cancelled()
      this.beforeSending()
      const result = await this.context.ledger.track(work())
      // Messages that the cancellation ended say nothing about the target.
      if (!this.signal.aborted) await this.afterSending(result)
      return result
    } finally {
      leave()
    }
  }

  /**
   * Runs several works whose requests should be in progress at the same time. Each one is a request
   * for the gate. If the gate permits only one request, runs two at a time.
   */
  readonly runConcurrently = async <T>(works: readonly (() => Promise<T>)[]): Promise<T[]> => {
    if (this.context.gate.concurrency > 1)
      return Promise.all(works.map((work) => this.runThroughGate(work)))
    const results: T[] = []
    for (let at = 0; at < works.length; at += 2) {
      const pair = works.slice(at, at + 2)
      results.push(...(await this.runThroughGate(() => Promise.all(pair.map((work) => work())))))
    }
    return results
  }

  /** Called when the gate permits a request. A subclass can end the check here. */
  protected beforeSending(): void {}

  /**
   * Called after each request, with what the work returned. A subclass ends the check here if the
   * target is unreachable.
   */
  protected afterSending(_result: unknown): Promise<void> {
    return Promise.resolve()
  }

  /** A random integer from `min` to below `max`, which depends on the seed of the run. */
  readonly randomInt = (min: number, max: number): number => this.context.random.int(min, max)

  /** Waits until the run reaches a stage. */
  readonly waitForStage = async (stage: Stage): Promise<void> =>
    void (await this.context.waitForStage(stage))

  /**
   * Waits this many milliseconds of the suite's clock. `purpose` names what the check waits for, as
   * in `PendingWait`; required if the wait can be longer than two seconds.
   */
  readonly wait = (milliseconds: number, purpose?: string): Promise<void> =>
    this.clock.sleep(milliseconds, this.signal, purpose)

  /**
   * Waits for a promise, but for at most this many milliseconds of the suite's clock. Resolves to
   * its value, or to undefined.
   */
  readonly waitAtMost = <T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> =>
    waitAtMost(this.clock, milliseconds, promise, this.signal)

  /**
   * Marks work that the check awaits later. If the check ends first, a failure of the work is not
   * reported as an error of the suite.
   */
  readonly inBackground = <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined)
    return work
  }

  /** Whether a requirement is met. The check's own requirement counts as met. */
  protected readonly isRequirementMet = async (requirement: RequirementId): Promise<boolean> => {
    if (requirement === this.context.requirement) return true
    this.beforeWaiting()
    return this.context.ledger.track(this.context.isMet(requirement))
  }

  /**
   * Called before the check waits for the verdict of another check. A subclass releases here what
   * the other check may need, such as a client of which there is only one.
   */
  protected beforeWaiting(): void {}

  /** Blocks the check if a requirement, on which its findings depend, is not met. */
  readonly requireMet = async (requirement: RequirementId, reason?: string): Promise<void> => {
    if (!(await this.isRequirementMet(requirement))) throw new Blocked(requirement, reason)
  }

  readonly expect = <One extends Message>(
    message: One,
    ...expectations: Expectation<One>[]
  ): void => {
    this.beforeExpecting(message, expectations)
    this.context.ledger.expect(message, ...expectations)
  }

  /** Tests several messages, so that the verdict names every case that is wrong. */
  readonly expectEach = <One extends Message>(
    cases: readonly (readonly [message: One, expectation: Expectation<One>])[],
  ): void => {
    for (const [message, expectation] of cases) this.beforeExpecting(message, [expectation])
    this.context.ledger.expectEach(cases)
  }

  /** A subclass blocks the check here if it cannot judge a message that breaks an expectation. */
  protected beforeExpecting<One extends Message>(
    _message: One,
    _expectations: readonly Expectation<One>[],
  ): void {}

  /** Tests a value that was derived from several messages. */
  readonly expectValue = <Subject>(
    subject: Subject,
    ...expectations: Expectation<Subject>[]
  ): void => this.context.ledger.expectValue(subject, ...expectations)

  readonly observe = (what: string): void => this.context.ledger.observe(what)
}
