import type { IncomingMessage } from 'node:http'
import { note } from './notes.ts'

/** At most this many names are listed in the request log. */
const maxNames = 5

/**
 * Says in the request log which fields of a request the contract does not define. A mock ignores
 * them, as real services do, but their names may be misspelt. `known` also contains patterns of
 * names.
 */
export function noteUnknownFields(
  request: IncomingMessage,
  names: Iterable<string>,
  known: readonly (string | RegExp)[],
): void {
  const unknown = [...new Set(names)].filter(
    (name) => !known.some((one) => (typeof one === 'string' ? one === name : one.test(name))),
  )
  if (unknown.length === 0) return
  const listed = unknown.slice(0, maxNames).join(', ')
  const more = unknown.length > maxNames ? ` and ${unknown.length - maxNames} more` : ''
  note(request, {
    ignored: `ignored ${unknown.length === 1 ? 'field, which is' : 'fields, which are'} not in the contract: ${listed}${more}`,
  })
}
