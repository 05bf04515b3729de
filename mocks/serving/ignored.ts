import type { IncomingMessage } from 'node:http'
import { noteIgnored } from './notes.ts'

/** At most this many names are listed in the request log. */
const maxNames = 5

/**
 * Says in the request log which fields or query parameters of a request the contract does not
 * define. A mock ignores them, as real services do, but their names may be misspelt. `known` also
 * contains patterns of names.
 */
export function noteUnknownFields(
  request: IncomingMessage,
  names: Iterable<string>,
  known: readonly (string | RegExp)[],
  kind: 'field' | 'query parameter' = 'field',
): void {
  const unknown = [...new Set(names)].filter(
    (name) => !known.some((one) => (typeof one === 'string' ? one === name : one.test(name))),
  )
  if (unknown.length === 0) return
  const listed = unknown.slice(0, maxNames).join(', ')
  const more = unknown.length > maxNames ? ` and ${unknown.length - maxNames} more` : ''
  noteIgnored(
    request,
    `ignored ${kind}${unknown.length === 1 ? ', which is' : 's, which are'} not in the contract: ${listed}${more}`,
  )
}
