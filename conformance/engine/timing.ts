import type { Clock } from './clock.ts'

/** What a check waited for. All times of a run are in milliseconds since its start. */
export interface Wait {
  /**
   * `requirement`: the verdict of a requirement; `value`: a value that several checks share;
   * `lock`: other checks with the same lock; `stage`: until all other checks have ended or wait.
   */
  kind: 'requirement' | 'value' | 'lock' | 'stage'
  name: string
  /** When the check first waited for this. */
  fromMs: number
  /** How long it waited in total. Parts of a check can wait for the same thing at the same time. */
  milliseconds: number
}

/** A slow request or delivery. */
export interface SlowRequest {
  /** As in `ExchangeRecord.number`. Two checks that share a value can have the same request. */
  number: number
  operation: string
  milliseconds: number
}

/** When a check ran. */
export interface Timing {
  /** When the check was ready to run: after the checks that it depends on, and with its lock. */
  startMs: number
  endMs: number
  waits: Wait[]
  /** The slowest requests of the check and of the values that it shares, the slowest first. */
  slowest: SlowRequest[]
}

/** Shorter waits and requests are not reported. */
const minMs = 5

/** At most this many requests of a check are reported. */
const maxRequests = 3

/** Measures the waits of one check. */
export class CheckTimer {
  private readonly clock: Clock
  private readonly runStart: number
  private readonly waits = new Map<string, Wait & { open: number; since: number }>()
  private start = 0

  constructor(clock: Clock, runStart: number) {
    this.clock = clock
    this.runStart = runStart
  }

  /** Milliseconds since the start of the run. */
  private now(): number {
    return this.clock.now() - this.runStart
  }

  /** Records that the check is ready to run. */
  begin(): void {
    this.start = this.now()
  }

  /** Measures how long the check waits for something. */
  async during<T>(kind: Wait['kind'], name: string, work: Promise<T>): Promise<T> {
    const key = `${kind} ${name}`
    const wait = this.waits.get(key) ?? {
      kind,
      name,
      fromMs: this.now(),
      milliseconds: 0,
      open: 0,
      since: 0,
    }
    this.waits.set(key, wait)
    if (wait.open === 0) wait.since = this.now()
    wait.open += 1
    try {
      return await work
    } finally {
      wait.open -= 1
      if (wait.open === 0) wait.milliseconds += this.now() - wait.since
    }
  }

  /** The timing of the check, which ends now. */
  end(messages: readonly SlowRequest[]): Timing {
    return {
      startMs: Math.round(this.start),
      endMs: Math.round(this.now()),
      waits: [...this.waits.values()]
        .filter(({ milliseconds }) => milliseconds >= minMs)
        .map(({ kind, name, fromMs, milliseconds }) => ({
          kind,
          name,
          fromMs: Math.round(fromMs),
          milliseconds: Math.round(milliseconds),
        })),
      slowest: messages
        .filter(({ milliseconds }) => milliseconds >= minMs)
        .toSorted((one, other) => other.milliseconds - one.milliseconds)
        .slice(0, maxRequests)
        .map(({ number, operation, milliseconds }) => ({ number, operation, milliseconds })),
    }
  }
}
