import type { RequirementId } from '../../../generated/requirements/index.ts'
import {
  Blocked,
  CalledOff,
  type Clock,
  type Context,
  type Expectation,
  type Message,
  type Stage,
} from '../../engine/index.ts'

/** What every check acts with, whatever its protocol. Its functions can be taken out of it one by one. */
export class CheckContext<M extends Message> {
  readonly clock: Clock
  /** Aborts when the run is called off. */
  readonly signal: AbortSignal
  protected readonly context: Context<M>

  constructor(context: Context<M>) {
    this.context = context
    this.clock = context.clock
    this.signal = context.signal
  }

  /** Lets a piece of work through the gate as a whole, and waits for its end before the check ends. */
  readonly runThroughGate = async <T>(work: () => Promise<T>): Promise<T> => {
    if (this.signal.aborted) throw new CalledOff()
    const leave = await this.context.gate.enter(this.context.priority)
    try {
      return await this.context.ledger.track(work())
    } finally {
      leave()
    }
  }

  /** Waits until the run has come to a stage. */
  readonly waitForStage = async (stage: Stage): Promise<void> =>
    void (await this.context.waitForStage(stage))

  /** Lets so many milliseconds pass. */
  readonly wait = (milliseconds: number): Promise<void> =>
    this.clock.sleep(milliseconds, this.signal)

  /** Whether the check's own requirement is this one, or that one's checks hold. */
  protected readonly isRequirementMet = async (requirement: RequirementId): Promise<boolean> =>
    requirement === this.context.requirement ||
    (await this.context.ledger.track(this.context.isMet(requirement)))

  /** Blocks the check if a requirement does not hold: what it has found so far proves nothing then. */
  readonly requireMet = async (requirement: RequirementId, reason?: string): Promise<void> => {
    if (!(await this.isRequirementMet(requirement))) throw new Blocked(requirement, reason)
  }

  readonly expect = <One extends Message>(
    message: One,
    ...expectations: Expectation<One>[]
  ): void => this.context.ledger.expect(message, ...expectations)

  /** For what was derived from several messages. */
  readonly expectOf = <Subject>(subject: Subject, ...expectations: Expectation<Subject>[]): void =>
    this.context.ledger.expectOf(subject, ...expectations)

  readonly observe = (what: string): void => this.context.ledger.observe(what)
}
