import { isObject, type Json } from '../../../engine/index.ts'
import { parseJson } from '../../../wire/mcp/framing.ts'

// Reads headers, lists, names and times from results in markdown and JSON.

const atx = /^ {0,3}#{1,6}(\s+\S|$)/
const underline = /^ {0,3}(=+|-{2,})\s*$/
const bullet = /^\s*([-*+]|\d+[.)])\s+\S/

/** Counts the headers of both forms, ATX and setext. */
export function countHeaders(markdown: string): number {
  const lines = markdown.split(/\r?\n/)
  return lines.filter(
    (line, index) =>
      atx.test(line) ||
      (underline.test(line) &&
        /\S/.test(lines[index - 1] ?? '') &&
        !bullet.test(lines[index - 1] ?? '')),
  ).length
}

/** Counts the entries of lists. */
export const countListEntries = (markdown: string): number =>
  markdown.split(/\r?\n/).filter((line) => bullet.test(line)).length

/** Removes the backslashes that escape markup. */
const unescaped = (markdown: string): string => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')

const escapeRegExp = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Whether markdown contains an identifier that is not part of a longer one. */
export const containsId = (markdown: string, id: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_])${escapeRegExp(id)}(?![\\p{L}\\p{N}_])`, 'u').test(
    unescaped(markdown),
  )

export const containsName = (markdown: string, title: string): boolean =>
  unescaped(markdown).includes(title)

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Like `containsName`, also if white space, markup or entities of HTML make a difference. */
export const resemblesName = (markdown: string, title: string): boolean =>
  lettersOf(markdown).includes(lettersOf(title))

/** The letters and digits of markdown, without anything else. */
const lettersOf = (markdown: string): string =>
  markdown
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether an identifier appears in parentheses, and nothing else is in them. */
export const containsIdInParentheses = (markdown: string, id: string): boolean =>
  unescaped(markdown)
    .replaceAll(/[*_~`]/g, '')
    .includes(`(${id.replaceAll(/[*_~`]/g, '')})`)

/**
 * Whether a name is followed somewhere by its identifier in parentheses. There may be markup
 * between the name and the parentheses, and words next to the identifier in the parentheses.
 */
export function containsNameWithId(markdown: string, title: string, id: string): boolean {
  return new RegExp(
    `${escapeRegExp(title)}[*_~\`"'\\]:]*(\\(https?:[^)]*\\))?[*_~\`"':]*\\s{0,2}[*_~\`]*\\([^()]*(?<![\\p{L}\\p{N}_])${escapeRegExp(id)}(?![\\p{L}\\p{N}_])[^()]*\\)`,
    'u',
  ).test(unescaped(markdown))
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/**
 * The times in a JSON value, in milliseconds since 1970. Recognizes only strings in ISO 8601: a
 * number can be anything, even if its member is named like a time.
 */
export function timestampsIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(timestampsIn)
  if (isObject(value)) return Object.values(value).flatMap(timestampsIn)
  if (typeof value !== 'string' || !iso.test(value)) return []
  const time = parseTime(value)
  return Number.isNaN(time) ? [] : [time]
}

/** Parses a time in ISO 8601. Without an offset, it is taken for UTC. */
const parseTime = (text: string): number =>
  Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)

/** Returns the times in a JSON value that markdown contains in the same form, with a T. */
export function isoTimesIn(markdown: string, json: unknown): string[] {
  const times = new Set(timestampsIn(json))
  const found = markdown.match(/\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?/g) ?? []
  return found.filter((text) => times.has(parseTime(text)))
}

/**
 * Returns the times in a JSON value that markdown contains as seconds or milliseconds since 1970.
 * Leaves out numbers that the JSON value contains as well, because they may be identifiers.
 */
export function epochTimesIn(markdown: string, json: unknown): number[] {
  const numbersOf = (text: string) => new Set(text.match(/\d{9,}/g) ?? [])
  const [numbers, known] = [numbersOf(markdown), numbersOf(JSON.stringify(json) ?? '')]
  return timestampsIn(json).filter((time) =>
    [Math.floor(time / 1000), Math.round(time)].some(
      (number) => numbers.has(String(number)) && !known.has(String(number)),
    ),
  )
}

/** The JSON objects and arrays in the code blocks and lines of markdown, and in all of its text. */
export function jsonInMarkdown(markdown: string): unknown[] {
  const blocks = [...markdown.matchAll(/^ *(```+|~~~+)[^\n]*\n(.*?)^ *\1/gms)].map(
    ([, , body]) => body!,
  )
  return [markdown, ...blocks, ...markdown.split(/\r?\n/)].flatMap((text) =>
    ['{}', '[]'].flatMap(([open, close]) => {
      const [start, end] = [text.indexOf(open!), text.lastIndexOf(close!)]
      const value = start === -1 || end < start ? undefined : parseJson(text.slice(start, end + 1))
      return value === undefined ? [] : [value.value]
    }),
  )
}

/** Members whose values are objects with data as keys, to which naming conventions do not apply. */
const freeForm =
  /(metadata|headers|labels|tags|attributes|properties|annotations|extra|custom|params|map|by_\w+)$/i

/** Field names with several spellings in a value, such as author_name and authorName. */
export function findSpellings(value: unknown): string[][] {
  const found = new Map<string, Set<string>>()
  collect(value, found)
  return [...found.values()].filter(({ size }) => size > 1).map((names) => [...names])
}

function collect(value: unknown, found: Map<string, Set<string>>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found)
  if (!isObject(value)) return
  for (const [name, one] of Object.entries(value)) {
    const key = name.toLowerCase().replace(/[_-]/g, '')
    found.set(key, (found.get(key) ?? new Set()).add(name))
    if (!freeForm.test(name)) collect(one, found)
  }
}

/** The members of an item whose values markdown does not contain. */
export function membersMissingIn(markdown: string, item: Json): string[] {
  const text = withSingleSpaces(unescaped(markdown))
  return Object.entries(item).flatMap(([name, value]) =>
    ['string', 'number'].includes(typeof value) && !text.includes(withSingleSpaces(String(value)))
      ? [name]
      : [],
  )
}

/** Markdown treats any run of white space as one space. */
const withSingleSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
