import { requirements } from '../../generated/requirements/index.ts'
import { coversId } from '../engine/index.ts'
import type { Keys } from './keys.ts'
import { nearest } from './nearest.ts'

/** The key that lists what the server does not have. */
export const absentPath = 'suite.absent'

/** The mistakes in `suite.absent`, as phrases that follow the name of the key. */
export function mistakesInAbsent(keys: Keys, values: ReadonlyMap<string, unknown>): string[] {
  const absent = values.get(absentPath) as Record<string, string> | undefined
  if (absent === undefined) return []
  const ids = Object.keys(requirements)
  const paths = keys.paths.filter((path) => path.includes('.') && path !== absentPath)
  return Object.keys(absent).flatMap((word) => {
    if (ids.some((id) => coversId(word, id))) return []
    if (paths.includes(word)) {
      const set = [...values].flatMap(namesSet).find((path) => isWithin(word, path))
      return set === undefined ? [] : [`lists ${word}, but ${set} is set. Remove one of them`]
    }
    const near = nearest(word, [...paths, ...ids])
    return [
      `lists ${word}, which is neither a key nor a requirement.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    ]
  })
}

/** The paths that a key sets, with the words of a list. `images.state: false` sets none. */
const namesSet = ([path, value]: [string, unknown]): string[] =>
  value === false
    ? []
    : [path, ...(Array.isArray(value) ? value.map((one) => `${path}.${one}`) : [])]

/** Whether a path is `word`, or is below it. */
export const isWithin = (word: string, path: string): boolean =>
  path === word || path.startsWith(`${word}.`)
