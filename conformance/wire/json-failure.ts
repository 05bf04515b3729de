/** Where a string stops being JSON, and why. */
export interface JsonFailure {
  /** The index of the first character that cannot follow; the length if the string ends early. */
  readonly at: number
  readonly reason: 'unfinished' | 'followed' | 'invalid'
}

const whiteSpace = ' \t\n\r'
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** A part of a value that the end of the string can cut off. */
const literalStart = /(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?\d+(?:\.|(?:\.\d+)?[eE][+-]?))$/y
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const escapeStart = /\\(?:u[\da-fA-F]{0,3})?$/y

/**
 * Finds where a string stops being JSON (RFC 8259). Undefined for JSON. The messages of
 * `JSON.parse` do not always contain the position.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-2
 */
export function findJsonFailure(text: string): JsonFailure | undefined {
  /** What each open object or array ends with. */
  const closers: string[] = []
  /** What may follow: a value, the name of a member, a colon, or a comma or closing bracket. */
  let expected: 'value' | 'name' | 'colon' | 'comma' = 'value'
  /** Whether the open object or array may end although a name or value is expected. */
  let isEmpty = false
  let at = 0
  const fail = (position = at): JsonFailure => ({
    at: position,
    reason: position === text.length ? 'unfinished' : 'invalid',
  })
  for (;;) {
    while (at < text.length && whiteSpace.includes(text[at]!)) at += 1
    const isWhole = expected === 'comma' && closers.length === 0
    if (at === text.length) return isWhole ? undefined : fail()
    if (isWhole) return { at, reason: 'followed' }
    const character = text[at]!
    if (character === closers.at(-1) && (expected === 'comma' || isEmpty)) {
      closers.pop()
      expected = 'comma'
      isEmpty = false
      at += 1
    } else if (expected === 'comma') {
      if (character !== ',') return fail()
      expected = closers.at(-1) === '}' ? 'name' : 'value'
      at += 1
    } else if (expected === 'colon') {
      if (character !== ':') return fail()
      expected = 'value'
      at += 1
    } else if (character === '"') {
      const end = endOfString(text, at)
      if (text[end] !== '"') return fail(end)
      expected = expected === 'name' ? 'colon' : 'comma'
      isEmpty = false
      at = end + 1
    } else if (expected === 'name') return fail()
    else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']')
      expected = character === '{' ? 'name' : 'value'
      isEmpty = true
      at += 1
    } else {
      const end = endOf(literal, text, at)
      if (end === undefined || endOf(literalStart, text, at) === text.length)
        return fail(endOf(literalStart, text, at) ?? at)
      expected = 'comma'
      isEmpty = false
      at = end
    }
  }
}

/** Where the match of a sticky expression ends. Undefined without a match. */
function endOf(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : undefined
}

/** The index of the closing quote, of the first invalid character, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"' && text[at]! >= ' ') {
    const next = text[at] === '\\' ? endOf(escape, text, at) : at + 1
    if (next === undefined) return endOf(escapeStart, text, at) ?? at
    at = next
  }
  return at
}

/** A longer string is not shown as a whole, in characters. */
const maxShown = 120
/** How many characters are shown on each side of the failure. */
const shownNear = 60
/** How many characters are redacted on each side: a secret may extend beyond `shownNear`. */
const redactedNear = 16 * 1024

/**
 * Shows a string that is not JSON: as a whole if it is short, otherwise where it stops being JSON.
 * Contains no secrets.
 *
 * @example
 * // 'it ends too early, after "…\"count\": 3"'
 * // 'at character 345, "None}…" cannot follow "…\"next\": "'
 */
export function showNotJson(text: string, redact: (text: string) => string): string {
  const json = text.replace(/^\uFEFF/, ' ')
  const failure = /^\s*[{[]/.test(json) ? findJsonFailure(json) : undefined
  const whole = redact(text.slice(0, redactedNear))
  const beginning = `${JSON.stringify(whole.slice(0, maxShown))}${whole.length > maxShown ? '…' : ''}`
  if (whole.length <= maxShown || failure === undefined) return beginning
  const { at, reason } = failure
  if (at < shownNear) return `at character ${at + 1} of ${beginning}`
  const from = Math.max(0, at - redactedNear)
  const near = redact(text.slice(from, at + redactedNear))
  // A secret can contain the failure. The text before the secret then ends where the two differ.
  const place = commonLength(near, redact(text.slice(from, at)))
  const before = JSON.stringify(`…${near.slice(Math.max(0, place - shownNear), place)}`)
  if (reason === 'unfinished') return `it ends too early, after ${before}`
  const after = near.slice(place, place + shownNear)
  const more = place + shownNear < near.length ? '…' : ''
  return `at character ${at + 1}, ${JSON.stringify(after + more)} cannot follow ${before}`
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < other.length && one[length] === other[length]) length += 1
  return length
}
