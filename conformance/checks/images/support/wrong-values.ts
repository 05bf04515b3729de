import type { ImagesWorld } from './world.ts'

/** The JSON types that the document states for fields of requests. */
export type StatedType = 'string' | 'boolean' | 'integer' | 'object'

/**
 * Returns values of types other than `type`, with labels. Numbers and strings vary, so that no
 * server can recognize them. No string is the text of a valid value, such as "true" or "12",
 * because a server may convert such a string.
 */
export function wrongValues(
  type: StatedType,
  randomInt: ImagesWorld['randomInt'],
): [label: string, value: unknown][] {
  const number = randomInt(1_000_000, 1_000_000_000)
  const word = `no${number}`
  const all: [label: string, value: unknown, ...valid: StatedType[]][] = [
    ['a number', number, 'integer'],
    ['a fraction', number + 0.5],
    ['a string', word, 'string'],
    ['a boolean', true, 'boolean'],
    ['an array', [word]],
    ['an object', { [word]: number }, 'object'],
  ]
  return all
    .filter(([, , ...valid]) => !valid.includes(type))
    .filter(([label]) => relevant[type].includes(label))
    .map(([label, value]) => [label, value])
}

/**
 * For each type, the wrong values that clients send by mistake. More values would cost requests and
 * detect little.
 */
const relevant: Readonly<Record<StatedType, readonly string[]>> = {
  string: ['a number', 'an object'],
  boolean: ['a string', 'a number'],
  integer: ['a string', 'a fraction', 'a boolean'],
  object: ['a string', 'an array'],
}
