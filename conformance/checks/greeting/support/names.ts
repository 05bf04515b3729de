import type { Random } from '../../../engine/index.ts'

const syllables =
  'ba be bo da de do ga go la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si ta te ti to va ve vi za zo'.split(
    ' ',
  )
const count = syllables.length ** 4

/** Generates a name that no other request of the run has. */
export interface NameGenerator {
  (): string
  /** All names that it has generated. */
  readonly issued: ReadonlySet<string>
}

/**
 * Returns a generator of names that are unique in a run: eight letters, the first one upper case,
 * so that no name contains another.
 */
export function newNameGenerator(random: Random): NameGenerator {
  const issued = new Set<string>()
  let position = random.int(0, count)
  // The step is coprime to `count`, so every name is generated once before any is repeated.
  const step = 350_377
  const newName = () => {
    position = (position + step) % count
    const letters = [3, 2, 1, 0]
      .map(
        (power) => syllables[Math.floor(position / syllables.length ** power) % syllables.length]!,
      )
      .join('')
    const name = letters[0]!.toUpperCase() + letters.slice(1)
    issued.add(name)
    return name
  }
  return Object.assign(newName, { issued })
}

/** Returns every part of a string that has the form of a generated name. */
export function findNames(text: string): string[] {
  return text.match(/[A-Z][a-z]{7}/g) ?? []
}

/**
 * Real names in non-Latin scripts or with diacritics, composed (NFC) and without markup characters.
 * One contains a character outside the Basic Multilingual Plane.
 */
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
