import { judge, type Expectation } from './expectation.ts'
import { Broken } from './signals.ts'
import type { ExchangeRecord, Finding } from './verdict.ts'

/** A message that was exchanged with the target. The engine only counts it and asks for its record. */
export interface Message {
  /** Unique within the run. */
  readonly number: number
  /** Of what kind it is: an operation and its outcome, an event. The proof finds by it who reads what a mutant changes. */
  readonly kind: string
  /** Whether the suite had waited long enough for it. On a busy machine that proves nothing by itself. */
  readonly isTimedOut?: boolean
  record(): ExchangeRecord
}

/** What one check found out, while it plays. */
export class Ledger<M extends Message> {
  readonly findings: Finding[] = []
  readonly observations: string[] = []
  readonly messages: M[] = []
  differs: string | undefined
  private readonly underWay = new Set<Promise<unknown>>()

  /** Every message that a play causes is noted, examined or not: the watching checks live on them. */
  note(message: M): void {
    this.messages.push(message)
  }

  /** Judges a message by each expectation. Throws `Broken` after the last one if any of them broke. */
  expect<One extends Message>(message: One, ...expectations: Expectation<One>[]): void {
    this.judge(message, message.number, expectations)
  }

  /** The same for something that was derived from messages: a set of pages, two answers compared. */
  expectOf<Subject>(subject: Subject, ...expectations: Expectation<Subject>[]): void {
    this.judge(subject, undefined, expectations)
  }

  private judge<Subject>(
    subject: Subject,
    exchange: number | undefined,
    expectations: Expectation<Subject>[],
  ): void {
    let broken: string | undefined
    for (const expectation of expectations) {
      const { name } = expectation
      const judgement = judge(expectation, subject)
      this.findings.push({ name, ...judgement, ...(exchange === undefined ? {} : { exchange }) })
      if (!judgement.held) broken ??= name
    }
    if (broken !== undefined) throw new Broken(broken)
  }

  /** Remembers what is under way, so that a check ends only when all its branches have. */
  track<T>(work: Promise<T>): Promise<T> {
    this.underWay.add(work)
    const done = () => void this.underWay.delete(work)
    work.then(done, done)
    return work
  }

  /** Resolves when nothing is under way any more, nor follows from what was. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) {
      await Promise.allSettled(this.underWay)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  observe(what: string): void {
    this.observations.push(what)
  }
}
