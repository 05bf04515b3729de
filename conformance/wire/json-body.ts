import type { ByteBudget } from './byte-budget.ts'
import { findJsonFailure, type JsonFailure } from './json-failure.ts'
import { measureJson, parseReceivedJson } from './json.ts'
import { KeptBody } from './kept-body.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The value of a JSON body up to this length, in bytes, is always kept. */
const alwaysKept = 64 * 1024

/** The memory that a value needs in addition to its text, in bytes. */
const valueBytes = 60

/** A body that may be JSON, which is parsed when it is first needed. */
export class JsonBody extends KeptBody {
  /** Which limit the JSON exceeds, as a sentence. */
  readonly excess: string | undefined
  private parsed: { value: unknown } | null | undefined
  private parsedLong: WeakRef<object> | undefined
  private readonly isKept: boolean

  /**
   * `budget` is the memory for the values of all long bodies. If it is used up, the value of a long
   * body is not kept, but parsed again when it is needed.
   */
  constructor(bytes: Buffer, budget: ByteBudget) {
    super(bytes)
    const { values, excess } = measureJson(bytes)
    this.excess = excess
    if (excess !== undefined) this.parsed = null
    this.isKept = bytes.length <= alwaysKept || budget.take(bytes.length + values * valueBytes)
  }

  /** Why the body is not JSON, for reports. Undefined if it is JSON. */
  get jsonFailure(): string | undefined {
    if (this.excess !== undefined) return this.excess
    if (this.length === 0) return 'the body is empty'
    let text: string
    try {
      text = utf8.decode(this.bytes)
    } catch {
      return 'the body is not UTF-8'
    }
    const failure = findJsonFailure(text)
    return failure === undefined ? undefined : describeFailure(failure)
  }

  /**
   * The body as JSON (RFC 8259: UTF-8; a leading BOM is ignored). Undefined if it is not JSON, or
   * exceeds a limit.
   *
   * @see https://www.rfc-editor.org/rfc/rfc8259#section-8.1
   */
  get json(): unknown {
    if (this.parsed !== undefined) return this.parsed?.value
    const long = this.parsedLong?.deref()
    if (long !== undefined) return long
    try {
      const value = parseReceivedJson(utf8.decode(this.bytes))
      if (!this.isKept && typeof value === 'object' && value !== null)
        this.parsedLong = new WeakRef(value)
      else this.parsed = { value }
      return value
    } catch {
      this.parsed = null
      return undefined
    }
  }
}

/** Says what is wrong with a body. Does not contain a part of it, which could be a secret. */
function describeFailure({ at, reason }: JsonFailure): string {
  if (reason === 'unfinished') return 'the body ends before the JSON is complete'
  return reason === 'followed'
    ? `in the body, other text follows the JSON, at character ${at + 1}`
    : `the body is not valid JSON at character ${at + 1}`
}
