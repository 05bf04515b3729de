import { judge, type Expectation } from './expectation.ts'
import { shorten } from './shorten.ts'
import { Broken } from './signals.ts'
import type { ExchangeRecord, Finding } from './verdict.ts'

/** A message exchanged with the target. */
export interface Message {
  /** Unique within the run. */
  readonly number: number
  /**
   * The kind of message: an operation and its outcome, or an event. A mutant (a generated
   * fault of a server) changes the messages of one kind. Tests use this name to find the checks
   * that read such messages.
   */
  readonly kind: string
  /**
   * Whether the suite stopped waiting for the message, or the connection closed before the message
   * was complete. That alone proves nothing: the machine may be busy, or the target may have been
   * restarted.
   */
  readonly isInterrupted?: boolean
  /**
   * Whether the message was interrupted because the target ended while this and other messages had
   * no response. A retry of such a check takes no time, so the number of retries is not limited.
   */
  readonly isClosedWithOthers?: boolean
  /** The name of the operation, for people. */
  readonly operation: string
  /** The transport, for people. Set if a target can have several. */
  readonly transportName?: string
  /** How long the exchange took. */
  readonly milliseconds: number
  record(): ExchangeRecord
}

/** Collects the findings and messages of one check while it runs. */
export class Ledger<M extends Message> {
  readonly findings: Finding[] = []
  readonly observations: string[] = []
  readonly messages: M[] = []
  private readonly differences: { difference: string; exchange: number | undefined }[] = []
  /** The messages of `show`. */
  private readonly unexamined: Message[] = []
  /** Whether the check used a value that it shares with other checks. */
  usesSharedValue = false
  private readonly pending = new Set<Promise<unknown>>()

  /**
   * Notes the only difference between a refused request and one that succeeds. `exchange` is the
   * number of the refused request; if it is missing, the difference concerns every finding.
   */
  noteDifference(difference: string, exchange?: number): void {
    this.differences.push({ difference, exchange })
  }

  /**
   * As in `Verdict.differs`. Concerns the requests of the findings that were not met, if there are
   * any. Undefined if their differences are not the same, because a report shows only one.
   */
  get difference(): string | undefined {
    const broken = this.findings.filter(({ held }) => !held)
    const concerned = this.differences.filter(
      ({ exchange }) =>
        broken.length === 0 ||
        exchange === undefined ||
        broken.some((finding) => finding.exchange === exchange),
    )
    const different = new Set(concerned.map(({ difference }) => difference))
    return different.size === 1 ? [...different][0] : undefined
  }

  /** Adds a message. Every message must be added, so that the watching checks see it. */
  record(message: M): void {
    this.messages.push(message)
  }

  /**
   * Adds a message that reports contain, but that no check examines, because it does not belong to
   * the contract: for example the request that causes an event.
   */
  show(message: Message): void {
    this.unexamined.push(message)
  }

  /** All messages for reports, in their order. */
  get shownMessages(): Message[] {
    return inOrder([...this.messages, ...this.unexamined])
  }

  /** Whether the check has exchanged messages with the target, itself or through a shared value. */
  get hasHistory(): boolean {
    return this.usesSharedValue || this.messages.length > 0
  }

  /**
   * Tests a message against all expectations. If some of them are not met, throws `Broken` after
   * the last test.
   */
  expect<One extends Message>(message: One, ...expectations: Expectation<One>[]): void {
    this.judge(message, originOf(message), expectations)
  }

  /**
   * Tests several messages, each against one expectation, and throws `Broken` after the last test.
   * So the verdict names every case that is wrong.
   */
  expectEach<One extends Message>(
    cases: readonly (readonly [message: One, expectation: Expectation<One>])[],
  ): void {
    let broken: unknown
    for (const [message, expectation] of cases)
      try {
        this.expect(message, expectation)
      } catch (error) {
        broken ??= error
      }
    if (broken !== undefined) throw broken
  }

  /**
   * Tests a value that is derived from messages, such as a set of pages or a comparison of two
   * responses, as `expect` does.
   */
  expectValue<Subject>(subject: Subject, ...expectations: Expectation<Subject>[]): void {
    this.judge(subject, undefined, expectations)
  }

  private judge<Subject>(
    subject: Subject,
    origin: Pick<Finding, 'exchange' | 'transport'> | undefined,
    expectations: Expectation<Subject>[],
  ): void {
    let broken: string | undefined
    for (const expectation of expectations) {
      const judgement = judge(expectation, subject)
      this.findings.push({ ...judgement, ...origin })
      if (!judgement.held) broken ??= judgement.name
    }
    if (broken !== undefined) throw new Broken(broken)
  }

  /** Tracks a concurrent branch, so that a check ends only when all its branches have ended. */
  track<T>(work: Promise<T>): Promise<T> {
    this.pending.add(work)
    const done = () => void this.pending.delete(work)
    work.then(done, done)
    return work
  }

  /** Resolves when all branches have ended, including those that they started. */
  async idle(): Promise<void> {
    while (this.pending.size > 0) {
      await Promise.allSettled(this.pending)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  observe(what: string): void {
    this.observations.push(shorten(what))
  }
}

/** Sorts messages by their numbers. */
export const inOrder = (messages: readonly Message[]): Message[] =>
  messages.toSorted((one, other) => one.number - other.number)

/** What a finding contains about the message that was examined. */
export const originOf = ({
  number,
  transportName,
}: Message): Pick<Finding, 'exchange' | 'transport'> => ({
  exchange: number,
  ...(transportName === undefined ? {} : { transport: transportName }),
})
