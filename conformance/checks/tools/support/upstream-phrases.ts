import { isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { jsonOf, textOf } from './results.ts'

/**
 * The strings of an upstream's response that a tool has no reason to change in JSON: at least two
 * words, and neither markup nor numbers, which dates, codes and amounts have.
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

/** Whether a Markdown result contains the phrase as it is. */
export const showsPhrase = (markdown: McpExchange, phrase: string): boolean =>
  withOneSpace(textOf(markdown)).includes(withOneSpace(phrase))

/** Whether a JSON result contains all words of a phrase, in any fields: it may be split. */
export function containsWords(json: McpExchange, phrase: string): boolean {
  const words = new Set(wordsOf(stringsIn(jsonOf(json)).join(' ')))
  return wordsOf(phrase).every((word) => words.has(word))
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isObject(value) ? Object.entries(value).flat().flatMap(stringsIn) : []
}
