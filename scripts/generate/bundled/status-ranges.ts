import type { AnyJson } from '../openapi.ts'

/** The statuses with which a server accepts a message of the Model Context Protocol. */
const accepted = ['200', '202']

/**
 * Replaces the status range `2XX` by statuses. The code that Orval generates for a range does not
 * compile.
 */
export function statusRanges(document: AnyJson): AnyJson {
  for (const item of Object.values((document.paths ?? {}) as AnyJson))
    for (const operation of Object.values(item as AnyJson) as AnyJson[]) {
      const { '2XX': range, ...responses } = (operation.responses ?? {}) as AnyJson
      if (range !== undefined)
        operation.responses = {
          ...Object.fromEntries(accepted.map((status) => [status, range])),
          ...responses,
        }
    }
  return document
}
