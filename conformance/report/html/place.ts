import type { Finding } from '../../engine/index.ts'

/** The part of a response that an expectation is about. */
export type MessagePlace =
  | { kind: 'status' }
  | { kind: 'header'; name: string }
  | { kind: 'member'; path: readonly string[] }

/** A string in which one part, given as a range of characters, may be marked. */
export interface Marked {
  text: string
  mark: readonly [start: number, end: number] | undefined
}

/** The JSON pointer in "the value at /result/images/0/id: …". */
const pointer = /\bthe value at (\/[^\s:]+)/
const headerName = /\bheaders? `?([A-Za-z][\w-]*)|\b([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+)\b/
const dottedPath = /(?<![\w/.-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])+/g
const firstWord = /^[A-Za-z_]\w*/g

/**
 * Finds the part of a response that a finding is about: its status, a header, or a member of its
 * JSON body. Undefined if the finding names none.
 */
export function placeOf(
  { expected, received }: Pick<Finding, 'expected' | 'received'>,
  body: string,
): MessagePlace | undefined {
  if (isAboutStatus(expected) && /^\d{3}\b/.test(received)) return { kind: 'status' }
  const [, found] = pointer.exec(expected) ?? []
  if (found !== undefined) return { kind: 'member', path: stepsOf(found) }
  const [, named, capitalized] = headerName.exec(expected) ?? headerName.exec(received) ?? []
  const name = named ?? capitalized
  if (name !== undefined) return { kind: 'header', name }
  const paths = [dottedPath, firstWord]
    .flatMap((pattern) => [...received.matchAll(pattern), ...expected.matchAll(pattern)])
    .map(([path]) => pathOf(path))
  const path = paths.find((candidate) => findMember(body, candidate) !== undefined)
  return path === undefined ? undefined : { kind: 'member', path }
}

/** The steps of a JSON pointer (RFC 6901). An asterisk is the index of any item. */
const stepsOf = (jsonPointer: string): string[] =>
  jsonPointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Splits a path such as `result.images[0].id`. */
export const pathOf = (path: string): string[] => path.replace(/\[(\d+)\]/g, '.$1').split('.')

const isAboutStatus = (expected: string): boolean =>
  /^an? (?:success|refusal|failure)\b|^(?:a )?status (?:\d|other)/.test(expected)

/** Marks what differs from `expected` in a received string. */
export function markDifference(expected: string, received: string): Marked {
  const status = /^\d{3}\b/.exec(received)
  if (status !== null && isAboutStatus(expected))
    return { text: received, mark: [0, status[0].length] }
  const [wanted, found] = [wordsOf(expected), wordsOf(received)]
  let before = 0
  while (before < found.length && found[before] === wanted[before]) before += 1
  let after = 0
  while (
    after < Math.min(found.length, wanted.length) - before &&
    found.at(-1 - after) === wanted.at(-1 - after)
  )
    after += 1
  const common = found.slice(0, before).join('').length
  const end = received.length - found.slice(found.length - after).join('').length
  // If the strings have little in common, a mark would not help.
  const isSimilar = (common + received.length - end) * 4 >= received.length
  return { text: received, mark: isSimilar && common < end ? [common, end] : undefined }
}

/** Splits a string into words, numbers, and single other characters. */
const wordsOf = (text: string): string[] => text.match(/[\w-]+|[^\w-]/g) ?? []

/**
 * Marks the only part in which a refused request differs from an accepted one. `differs` names that
 * part: "only in the value of the field `url`". `body`, which may be null, is the end of `text`.
 */
export function markRequest(text: string, body: string | null, differs: string): Marked {
  const [, kind, name = ''] = /(field|header|query parameter) `([^`]+)`/.exec(differs) ?? []
  const bodyAt = text.length - (body ?? '').length
  const member = kind === 'field' && body !== null ? findMember(body, pathOf(name)) : undefined
  if (member !== undefined) return { text, mark: [bodyAt + member[0], bodyAt + member[1]] }
  if (differs.endsWith('the body')) return { text, mark: body ? [bodyAt, text.length] : undefined }
  const quoted = name.replace(/[^\w-]/g, '\\$&')
  const pattern =
    kind === 'field'
      ? `^${quoted}=.*`
      : kind === 'header'
        ? `^${quoted}: .*`
        : kind === 'query parameter'
          ? `(?<=[?&])${quoted}=[^&\\s]*`
          : differs.endsWith('the path')
            ? `(?<=^\\S+ \\w+://[^/\\s]+)/[^?\\s]*`
            : differs.endsWith('the method')
              ? '^\\S+'
              : '(?!)'
  const found = new RegExp(pattern, 'im').exec(text)
  return { text, mark: found === null ? undefined : [found.index, found.index + found[0].length] }
}

/**
 * Finds the first member of a JSON document whose path ends with this path, because findings often
 * omit the beginning. Returns the range of its name and value. A step `*` matches any index.
 * Undefined if there is no such member, or the text is not JSON.
 */
export function findMember(
  text: string,
  path: readonly string[],
): readonly [number, number] | undefined {
  // Most documents do not contain the names, and need no scan.
  if (!path.every((name) => /^(\d+|\*)$/.test(name) || text.includes(`"${name}"`))) return undefined
  const scanner = new Scanner(text, path)
  try {
    scanner.value()
  } catch {
    return undefined
  }
  return scanner.found
}

/** Scans a JSON document for a member, because `JSON.parse` returns no positions. */
class Scanner {
  found: readonly [number, number] | undefined
  private readonly text: string
  private readonly wanted: readonly string[]
  private readonly path: string[] = []
  private at = 0

  constructor(text: string, wanted: readonly string[]) {
    this.text = text
    this.wanted = wanted
  }

  /** Scans a value and the space around it. */
  value(): void {
    this.take(/\s*/y)
    if (this.text[this.at] === '{') this.members(/\}/y, () => this.key())
    else if (this.text[this.at] === '[') {
      let index = 0
      this.members(/\]/y, () => String(index++))
    } else if (this.text[this.at] === '"') this.string()
    else if (this.take(/[\w.+-]+/y) === '') throw new Error('a value is missing')
    this.take(/\s*/y)
  }

  private members(end: RegExp, nextName: () => string): void {
    this.at += 1
    for (;;) {
      this.take(/[\s,]*/y)
      if (this.take(end) !== '') return
      const start = this.at
      this.path.push(nextName())
      this.value()
      const isWanted = this.wanted.every(
        (name, index) =>
          name === '*' || this.path[this.path.length - this.wanted.length + index] === name,
      )
      if (isWanted) this.found ??= [start, start + this.text.slice(start, this.at).trimEnd().length]
      this.path.pop()
    }
  }

  private key(): string {
    const key = JSON.parse(this.string()) as string
    this.take(/\s*:/y)
    return key
  }

  private string(): string {
    const string = this.take(/"(?:[^"\\]|\\.)*"/y)
    if (string === '') throw new Error('the string has no end')
    return string
  }

  /** Skips the characters that a sticky pattern matches here, and returns them. */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const [found = ''] = pattern.exec(this.text) ?? []
    this.at += found.length
    return found
  }
}
