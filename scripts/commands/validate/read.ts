import { findDeepJson, whyUnreadable } from '../../../conformance/target-file/user-file.ts'
import type { Event } from '../../../generated/events/contract.ts'
import { newFinding } from '../deliveries/finding.ts'
import { judgeDelivery, judgePayload, type JudgedDelivery } from '../deliveries/judge.ts'
import type { Input } from '../deliveries/inputs.ts'
import { listIn, savedDelivery } from '../deliveries/saved.ts'
import { judgeQuickly } from './quick.ts'
import { FileSplitter, type ValueHandler } from '../deliveries/split/index.ts'

export interface Place {
  line: number
  index?: number | undefined
}

export interface ValidationOptions {
  /** Replaces the event that a payload names. */
  event?: Event | undefined
  /** The expected token of deliveries that were saved with their headers. */
  secret?: string | undefined
}

/** Prints a verdict, with the position of its delivery if the input has several deliveries. */
export type Print = (judged: JudgedDelivery, name: string, place: Place | undefined) => void

const decoder = new TextDecoder('utf-8', { fatal: true })

/** A file with this many invalid lines before the first valid one is not JSON. */
const maxInvalidLines = 1000

/**
 * Judges all deliveries of an input. Returns the reason if the input could not be read, otherwise
 * undefined.
 */
export async function judgeInput(
  { name, open }: Input,
  { event, secret }: ValidationOptions,
  print: Print,
): Promise<string | undefined> {
  const reading = new Reading((judged, place) => print(judged, name, place), event, secret)
  const split = new FileSplitter(reading)
  try {
    for await (const chunk of open()) {
      split.feed(chunk)
      if (reading.hasTooManyInvalidLines) break
    }
  } catch (error) {
    reading.end()
    return `${name} cannot be read: ${whyUnreadable(error)}`
  }
  split.end()
  return reading.end()?.replace(/^/, `${name} `)
}

class Reading implements ValueHandler {
  private readonly report: (judged: JudgedDelivery, place: Place | undefined) => void
  private readonly event: Event | undefined
  private readonly secret: string | undefined
  private seen = 0
  private first: { judged: JudgedDelivery; place: Place } | undefined
  /** Invalid lines before the first valid one. */
  private invalidLines: { why: string; place: Place }[] = []
  private hasJson = false

  constructor(
    report: (judged: JudgedDelivery, place: Place | undefined) => void,
    event: Event | undefined,
    secret: string | undefined,
  ) {
    this.report = report
    this.event = event
    this.secret = secret
  }

  get hasTooManyInvalidLines(): boolean {
    return this.invalidLines.length > maxInvalidLines
  }

  value(bytes: Buffer, from: number, to: number, line: number, index?: number): void {
    const place = { line, index }
    const quick = judgeQuickly(bytes, from, to, this.event)
    if (quick !== undefined) {
      this.begin()
      this.judged(quick, place)
      return
    }
    let value: unknown
    try {
      const text = decoder.decode(bytes.subarray(from, to))
      const tooDeep = findDeepJson(text)
      if (tooDeep !== undefined) throw new Error(`a value that ${tooDeep}`)
      value = JSON.parse(text)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      this.broken(
        code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'invalid UTF-8' : message,
        line,
        index,
      )
      return
    }
    this.begin()
    // An array in a line contains several deliveries, like an array that is the whole input.
    const list = Array.isArray(value) && index === undefined ? (value as unknown[]) : listIn(value)
    if (list === undefined) this.judge(value, place)
    else for (const [at, each] of list.entries()) this.judge(each, { line, index: at })
  }

  broken(why: string, line: number, index?: number): void {
    const place = { line, index }
    if (!this.hasJson) this.invalidLines.push({ why, place })
    else
      this.judged(
        {
          event: this.event?.name,
          verdict: 'fails',
          findings: [newFinding('EVT-DELIVERY-03', '', 'JSON, one object', why)],
        },
        place,
      )
  }

  /** Returns the reason if the input had no deliveries, otherwise undefined. */
  end(): string | undefined {
    if (this.first !== undefined)
      this.report(
        this.first.judged,
        this.first.place.index === undefined ? undefined : this.first.place,
      )
    this.first = undefined
    if (this.hasJson) return this.seen === 0 ? 'does not contain a delivery' : undefined
    const [broken] = this.invalidLines
    if (broken === undefined) return 'does not contain a delivery'
    return `is not JSON${broken.place.line > 1 || this.invalidLines.length > 1 ? `, and neither is any of its lines; line ${broken.place.line}` : ''}: ${broken.why}`
  }

  /**
   * Called with the first valid value. It shows that the file is JSON, so the invalid lines before
   * it are failures.
   */
  private begin(): void {
    if (this.hasJson) return
    this.hasJson = true
    for (const { why, place } of this.invalidLines) this.broken(why, place.line, place.index)
    this.invalidLines = []
  }

  private judge(value: unknown, place: Place): void {
    const saved = savedDelivery(value, this.secret)
    this.judged(
      withHint(
        saved === undefined ? judgePayload(value, this.event) : judgeDelivery(saved, this.event),
      ),
      place,
    )
  }

  /**
   * Delays the report of the first verdict, because its line number is printed only if there is a
   * second verdict.
   */
  private judged(judged: JudgedDelivery, place: Place): void {
    this.seen += 1
    if (this.seen === 1) {
      this.first = { judged, place }
      return
    }
    if (this.first !== undefined) this.report(this.first.judged, this.first.place)
    this.first = undefined
    this.report(judged, place)
  }
}

/** Adds a hint to findings about unknown events: the option --event can set the event. */
function withHint(judged: JudgedDelivery): JudgedDelivery {
  const findings = judged.findings.map((found) =>
    found.requirement === undefined
      ? { ...found, expected: `${found.expected}, or an event set with --event` }
      : found,
  )
  return judged.event === undefined ? { ...judged, findings } : judged
}
