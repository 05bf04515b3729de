/**
 * JSON beyond these limits is not parsed (RFC 8259 §9 allows such limits). A page of 100 images in
 * 100 variants has about 11,000 values. Deeper values would overflow the stack of recursive
 * functions.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-9
 */
const limits = { depth: 500, values: 200_000 }

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const whiteSpace: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b])
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** How large JSON is when it is parsed. */
export interface JsonSize {
  /** The approximate number of values: objects, arrays and their members. */
  readonly values: number
  /** Which limit the JSON exceeds, as a sentence. */
  readonly excess?: string
}

/**
 * Measures JSON without parsing it. JSON that is neither an object nor an array has one value.
 */
export function measureJson(bytes: Uint8Array): JsonSize {
  if (!startsLikeObject(bytes)) return { values: 1 }
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at]!
    if (code === quote) {
      do {
        at += bytes[at]! === backslash ? 2 : 1
      } while (at < bytes.length && bytes[at]! !== quote)
    } else if (openers.has(code)) {
      depth += 1
      values += 1
      if (depth > limits.depth)
        return { values, excess: `the JSON is nested more than ${limits.depth} levels deep` }
    } else if (closers.has(code)) depth -= 1
    else if (code === comma) values += 1
    if (values > limits.values)
      return { values, excess: `the JSON contains more than ${limits.values} values` }
  }
  return { values }
}

/** Whether the first character other than white space begins an object or an array. */
function startsLikeObject(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !whiteSpace.has(byte))
  return first !== undefined && openers.has(first)
}

/** JSON that may contain a member with one of these names. It can be escaped. */
const convertingNames = /toString|valueOf|\\u/

/**
 * Parses JSON that was received. A member named `toString` or `valueOf` would hide the method that
 * makes a string of its object, so `String(value)` would throw. Such an object gets a hidden method
 * that returns its JSON. Throws a `SyntaxError` if the text is not JSON.
 */
export function parseReceivedJson(text: string): unknown {
  const whole: unknown = JSON.parse(text)
  if (!convertingNames.test(text)) return whole
  const rest = [whole]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf'))
      Object.defineProperty(value, Symbol.toPrimitive, { value: () => JSON.stringify(value) })
    for (const member of Object.values(value)) rest.push(member)
  }
  return whole
}
