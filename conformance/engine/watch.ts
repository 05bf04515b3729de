import type { WatchingCheck } from './check.ts'
import { originOf, type Message } from './ledger.ts'
import { verdictOf } from './judge.ts'
import type { Finding, Verdict } from './verdict.ts'

/** A verdict shows at most this many of the messages that did not meet an expectation. */
const maxMessages = 5

/** Runs a watching check: passes every message to it and keeps its findings. */
export class Watch<M extends Message> {
  readonly check: WatchingCheck<M>
  examined = 0
  private readonly brokenFindings: Finding[] = []
  private readonly shownMessages = new Map<number, M>()
  /** The keys of the checks that caused the shown messages. */
  private readonly senders = new Set<string>()
  /** For each name of an expectation, the first finding that held. */
  private readonly metFindings = new Map<string, Finding>()
  private crash: unknown

  constructor(check: WatchingCheck<M>) {
    this.check = check
  }

  /**
   * Returns whether the message meets all expectations; undefined if it is not of the kind that the
   * check examines. `sender` is the key of the check that caused the message.
   */
  examine(message: M, sender: string): boolean | undefined {
    if (this.crash !== undefined) return undefined
    let met: boolean | undefined
    try {
      for (const finding of this.check.examine(message)) {
        this.examined += 1
        met = (met ?? true) && finding.held
        if (finding.held) {
          if (!this.metFindings.has(finding.name))
            this.metFindings.set(finding.name, { ...finding, ...originOf(message) })
        } else if (
          this.shownMessages.size < maxMessages ||
          this.shownMessages.has(message.number)
        ) {
          this.brokenFindings.push({ ...finding, ...originOf(message) })
          this.shownMessages.set(message.number, message)
          this.senders.add(sender)
        }
      }
    } catch (error) {
      this.crash = error ?? new Error('the check threw undefined or null')
    }
    return met
  }

  /** The verdict; undefined if the check has examined no message. */
  verdict(): Verdict | undefined {
    if (this.crash !== undefined)
      return verdictOf(this.check, { verdict: 'error', reason: String(this.crash) })
    if (this.examined === 0) return undefined
    const findings = [
      ...this.brokenFindings,
      ...[...this.metFindings.values()].filter(
        ({ name }) => !this.brokenFindings.some((finding) => finding.name === name),
      ),
    ]
    if (this.brokenFindings.length === 0)
      return verdictOf(this.check, { verdict: 'pass', expectations: findings })
    return verdictOf(this.check, {
      verdict: this.check.entry.level === 'must' ? 'fail' : 'warn',
      expectations: findings,
      exchanges: [...this.shownMessages.values()].map((message) => message.record()),
      sentBy: [...this.senders],
    })
  }
}
