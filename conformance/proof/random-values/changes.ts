import type { Field } from '../../../generated/contract.ts'
import type { Reply } from '../../../mocks/stateful/http/reply.ts'
import { Random } from '../../engine/index.ts'
import { changePlace, placesIn, schemaAt, valueAt } from './places.ts'
import { randomBytes, randomHeader, randomValue } from './values.ts'

/**
 * The probability that a message is changed. With the low ones, a run gets far; with the high ones,
 * few requests succeed.
 */
const rates = [0.02, 0.1, 0.3, 1]

/** Changes messages at random places to random values. Equal seeds make equal changes. */
export class RandomChanges {
  /** How many messages were changed. */
  count = 0
  readonly random: Random
  private readonly rate: number

  constructor(seed: number) {
    this.random = new Random(String(seed))
    this.rate = rates[seed % rates.length]!
  }

  /** Decides whether the next message is changed, and counts it. */
  next(): boolean {
    const isChanged = this.random.int(0, 1000) < this.rate * 1000
    if (isChanged) this.count += 1
    return isChanged
  }

  /** Returns a copy of a JSON value, changed at one place. */
  json(body: unknown, fields: readonly Field[] = []): unknown {
    const places = placesIn(body)
    const steps = places[this.random.int(0, places.length)]!
    return changePlace(
      body,
      steps,
      this.random.int(0, 6) === 0
        ? 'remove'
        : { value: randomValue(this.random, valueAt(body, steps), schemaAt(fields, steps)) },
    )
  }

  text = (text: string): string => Buffer.from(this.bytes(Buffer.from(text))).toString('utf8')

  bytes = (bytes: Uint8Array): Uint8Array => randomBytes(this.random, bytes)

  /** Returns a changed response of HTTP: usually its body, sometimes its status or a header. */
  reply<R extends Reply>(reply: R, fields?: readonly Field[]): R {
    if (!this.next()) return reply
    const { body, raw, headers = {} } = reply
    const names = Object.keys(headers)
    const part = this.random.int(0, 10)
    if (part === 0) return { ...reply, status: this.random.int(200, 600) }
    if (part <= 2 && names.length > 0) {
      const name = names[this.random.int(0, names.length)]!
      return {
        ...reply,
        headers: { ...headers, [name]: randomHeader(this.random, headers[name]!) },
      }
    }
    if (raw !== undefined) return { ...reply, raw: this.text(raw) }
    if (body instanceof Uint8Array) return { ...reply, body: this.bytes(body) }
    if (part === 3) return { ...reply, raw: this.text(JSON.stringify(body) ?? '') }
    return { ...reply, body: this.json(body, fields) }
  }
}
