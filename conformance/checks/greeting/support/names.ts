import { randomInt } from 'node:crypto'

const syllables =
  'ba be bo da de do ga go la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si ta te ti to va ve vi za zo'.split(
    ' ',
  )
const count = syllables.length ** 4

/** Makes names that nobody else has in this run: eight letters, the first one a capital, so that none stands within another. */
export function newNameGenerator(): () => string {
  let position = randomInt(count)
  // It shares no factor with the count: every name comes once before one comes again.
  const step = 350_377
  return () => {
    position = (position + step) % count
    const letters = [3, 2, 1, 0]
      .map(
        (power) => syllables[Math.floor(position / syllables.length ** power) % syllables.length]!,
      )
      .join('')
    return letters[0]!.toUpperCase() + letters.slice(1)
  }
}

/** Whatever in a text could be such a name. */
export function findNames(text: string): string[] {
  return text.match(/[A-Z][a-z]{7}/g) ?? []
}

/** Names as people have them in other scripts: composed letters (NFC), nothing that could be taken for markup, one beyond the first plane of Unicode. */
export const otherScripts: readonly string[] = [
  'Ольга Шевченко',
  'Ελένη Παπαδοπούλου',
  'محمد علي',
  'שרה לוי',
  'प्रिया शर्मा',
  'สมชาย ใจดี',
  '王小明',
  '𠮷田 さくら',
  '김민준',
  'Nguyễn Thị Ánh',
  'Þórdís Guðmundsdóttir',
  'Łukasz Żółć',
]
