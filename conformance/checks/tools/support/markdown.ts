import { isObject, type Json } from '../../../engine/index.ts'

// What can be read out of a result in markdown, and of the times in one in json.

const atx = /^ {0,3}#{1,6}(\s+\S|$)/
const underline = /^ {0,3}(=+|-{2,})\s*$/
const bullet = /^\s*([-*+]|\d+[.)])\s+\S/

/** How many headers a text has, of either form. */
export function countHeaders(text: string): number {
  const lines = text.split(/\r?\n/)
  return lines.filter(
    (line, index) =>
      atx.test(line) ||
      (underline.test(line) &&
        /\S/.test(lines[index - 1] ?? '') &&
        !bullet.test(lines[index - 1] ?? '')),
  ).length
}

/** How many entries of lists a text has. */
export const countListEntries = (text: string): number =>
  text.split(/\r?\n/).filter((line) => bullet.test(line)).length

/** A text without the backslashes that keep characters from being markup. */
const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Whether a text has an identifier that is no part of a longer one. */
export const containsId = (text: string, id: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_])${escapeRegExp(id)}(?![\\p{L}\\p{N}_])`, 'u').test(
    unescaped(text),
  )

/** Whether a text has a name at all. */
export const containsName = (text: string, title: string): boolean =>
  unescaped(text).includes(title)

/** Whether a name is followed, somewhere, by its identifier in parentheses. Markup may stand between them, and words beside the identifier. */
export function containsNameWithId(text: string, title: string, id: string): boolean {
  return new RegExp(
    `${escapeRegExp(title)}[*_~\`"'\\]:]*(\\(https?:[^)]*\\))?[*_~\`"':]*\\s{0,2}[*_~\`]*\\([^()]*(?<![\\p{L}\\p{N}_])${escapeRegExp(id)}(?![\\p{L}\\p{N}_])[^()]*\\)`,
    'u',
  ).test(unescaped(text))
}

/** Names of members that hold a moment where their value is a number. */
const timeName = /(at|on|time|date|since|until|stamp|expires|expiry|created|updated|modified|due)$/i
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Every moment in a value in json, in milliseconds since 1970: texts in ISO 8601, and numbers whose name tells of a time. */
export function timestampsIn(value: unknown, name = ''): number[] {
  if (Array.isArray(value)) return value.flatMap((one) => timestampsIn(one, name))
  if (isObject(value))
    return Object.entries(value).flatMap(([member, one]) => timestampsIn(one, member))
  if (typeof value === 'string' && iso.test(value)) {
    const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`
    return Number.isNaN(Date.parse(zoned)) ? [] : [Date.parse(zoned)]
  }
  if (typeof value !== 'number' || !timeName.test(name)) return []
  if (value > 1e8 && value < 1e10) return [value * 1000]
  return value > 1e11 && value < 1e13 ? [value] : []
}

/** The moments that a text tells as seconds or milliseconds since 1970. */
export function epochTimesIn(text: string, moments: readonly number[]): number[] {
  const numbers = new Set(text.match(/\d{9,}/g) ?? [])
  return moments.filter(
    (moment) =>
      numbers.has(String(Math.floor(moment / 1000))) || numbers.has(String(Math.round(moment))),
  )
}

/** Members whose own members are data, and no fields: nobody says how they are spelled. */
const freeForm =
  /(metadata|headers|labels|tags|attributes|properties|annotations|extra|custom|params|map|by_\w+)$/i

/** Names of fields that a value has in two spellings, such as author_name and authorName. */
export function findSpellings(value: unknown): string[][] {
  const found = new Map<string, Set<string>>()
  collect(value, found)
  return [...found.values()].filter(({ size }) => size > 1).map((names) => [...names])
}

function collect(value: unknown, found: Map<string, Set<string>>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found)
  if (!isObject(value)) return
  for (const [name, one] of Object.entries(value)) {
    const like = name.toLowerCase().replace(/[_-]/g, '')
    found.set(like, (found.get(like) ?? new Set()).add(name))
    if (!freeForm.test(name)) collect(one, found)
  }
}

/** The members of an item that a text does not show. */
export function membersMissingIn(text: string, item: Json): string[] {
  return Object.entries(item).flatMap(([name, value]) =>
    ['string', 'number'].includes(typeof value) && !unescaped(text).includes(String(value))
      ? [name]
      : [],
  )
}
