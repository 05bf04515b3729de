import { isObject, type Json } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { jsonOf, textOf } from './results.ts'

/**
 * Returns those strings of an upstream response that a tool has no reason to change if its result
 * is JSON. They have at least two words. They contain no markup, and no numbers, because a tool may
 * reformat dates, codes and amounts.
 */
export function phrasesIn(value: unknown): string[] {
  if (typeof value === 'string') return isPhrase(value) ? [value.trim()] : []
  if (!isObject(value) && !Array.isArray(value)) return []
  return [...new Set(Object.values(value).flatMap(phrasesIn))]
}

const isPhrase = (text: string): boolean =>
  /^[\p{L}\p{M}\s.,;:!?'’-]+$/u.test(text) && wordsOf(text).length >= 2

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []

const withOneSpace = (text: string): string => text.replace(/\s+/g, ' ')

/** Whether a Markdown result contains the phrase unchanged, except for whitespace. */
export const showsPhrase = (markdown: McpExchange, phrase: string): boolean =>
  withOneSpace(textOf(markdown)).includes(withOneSpace(phrase))

/** Whether a JSON result contains all words of a phrase, possibly in several fields. */
export function containsWords(json: McpExchange, phrase: string): boolean {
  const words = new Set(wordsOf(stringsIn(jsonOf(json)).join(' ')))
  return wordsOf(phrase).every((word) => words.has(word))
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isObject(value) ? Object.entries(value).flat().flatMap(stringsIn) : []
}

/** The minimum length of a string by which an item is recognized. */
const minLength = 3

/**
 * Returns the items in lists of the upstream that all results in JSON contain. An item is
 * recognized by a string that no other item of its list has, such as an identifier.
 */
export function itemsInBoth(data: unknown, json: readonly McpExchange[]): Json[] {
  const strings = json.map((one) => new Set(stringsIn(jsonOf(one))))
  return listsIn(data).flatMap((list) =>
    list.filter((item) =>
      ownStrings(item, list).some((text) => strings.every((own) => own.has(text))),
    ),
  )
}

/** The lists of objects in a JSON value. */
function listsIn(value: unknown): Json[][] {
  if (!isObject(value) && !Array.isArray(value)) return []
  const inside = Object.values(value).flatMap(listsIn)
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
    ? [value, ...inside]
    : inside
}

/** For each list, in how many of its items each value occurs. */
const countsByList = new WeakMap<readonly Json[], ReadonlyMap<unknown, number>>()

function countsIn(list: readonly Json[]): ReadonlyMap<unknown, number> {
  const known = countsByList.get(list)
  if (known !== undefined) return known
  const counts = new Map<unknown, number>()
  for (const item of list)
    for (const value of new Set(Object.values(item)))
      counts.set(value, (counts.get(value) ?? 0) + 1)
  countsByList.set(list, counts)
  return counts
}

/** The values of an item that no other item of its list has. */
const ownValues = (item: Json, list: readonly Json[]): unknown[] =>
  Object.values(item).filter((value) => countsIn(list).get(value) === 1)

/** The strings of an item that no other item of its list has. */
export const ownStrings = (item: Json, list: readonly Json[]): string[] =>
  ownValues(item, list).filter(
    (value): value is string => typeof value === 'string' && value.trim().length >= minLength,
  )

/** The numbers of an item that no other item of its list has. */
export const ownNumbers = (item: Json, list: readonly Json[]): number[] =>
  ownValues(item, list).filter((value) => typeof value === 'number')
