import type { WatchingCheck } from './check.ts'
import type { Message } from './ledger.ts'
import { verdictOf } from './judge.ts'
import type { Finding, Verdict } from './verdict.ts'

/** The largest number of messages in a verdict of those that did not meet an expectation. */
const maxShown = 5

/** Runs a watching check: passes every message to it and keeps its findings. */
export class Watch<M extends Message> {
  readonly check: WatchingCheck<M>
  examined = 0
  private readonly broken: Finding[] = []
  private readonly shown = new Map<number, M>()
  private readonly held = new Map<string, Finding>()
  private crash: unknown

  constructor(check: WatchingCheck<M>) {
    this.check = check
  }

  /** Returns whether the message is of the kind that the check examines. */
  examine(message: M): boolean {
    if (this.crash !== undefined) return false
    const before = this.examined
    try {
      for (const finding of this.check.examine(message)) {
        this.examined += 1
        if (finding.held) {
          if (!this.held.has(finding.name))
            this.held.set(finding.name, { ...finding, exchange: message.number })
        } else if (this.shown.size < maxShown || this.shown.has(message.number)) {
          this.broken.push({ ...finding, exchange: message.number })
          this.shown.set(message.number, message)
        }
      }
    } catch (error) {
      this.crash = error ?? new Error('the check threw undefined')
    }
    return this.examined > before
  }

  /** The verdict; undefined if the check has examined no message. */
  verdict(): Verdict | undefined {
    if (this.crash !== undefined)
      return verdictOf(this.check, { verdict: 'error', reason: String(this.crash) })
    if (this.examined === 0) return undefined
    const findings = [
      ...this.broken,
      ...[...this.held.values()].filter(
        ({ name }) => !this.broken.some((finding) => finding.name === name),
      ),
    ]
    if (this.broken.length === 0)
      return verdictOf(this.check, { verdict: 'pass', expectations: findings })
    return verdictOf(this.check, {
      verdict: this.check.entry.level === 'must' ? 'fail' : 'warn',
      expectations: findings,
      exchanges: [...this.shown.values()].map((message) => message.record()),
    })
  }
}
