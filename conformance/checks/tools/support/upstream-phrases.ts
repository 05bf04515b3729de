import { isObject } from '../../../engine/index.ts'
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
