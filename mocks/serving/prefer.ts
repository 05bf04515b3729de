import type { IncomingMessage } from 'node:http'
import { note } from './notes.ts'

/**
 * The status that a client requests with the header `Prefer: code=…`; undefined if it requests
 * none.
 */
export function requestedStatus(prefer: string | undefined): number | undefined {
  const code = /(?:^|[\s,;])code\s*=\s*"?(\d{3})"?(?![\w])/i.exec(prefer ?? '')?.[1]
  return code === undefined ? undefined : Number(code)
}

/** The preferences of Prism, with which clients select a response of a stateless mock. */
const ofPrism = /(?:^|[\s,;])(?:code|example|dynamic|seed)\s*=/i

/**
 * Says in the request log that a stateful mock ignores a preference for a response, and which
 * statuses it knows.
 */
export function noteIgnoredPreference(
  request: IncomingMessage,
  prefer: string | undefined,
  statuses: readonly (number | string)[],
): void {
  if (prefer === undefined || !ofPrism.test(prefer)) return
  const known = statuses.join(', ').replace(/, (\d+)$/, ' and $1')
  note(request, { ignored: `Prefer is ignored: only code=${known} are known` })
}

/**
 * The headers that HTTP defines for a failure: when the client may repeat the request, and with
 * which scheme it authenticates, if this scheme has a name.
 */
export function failureHeaders(status: number, challenge?: string): Record<string, string> {
  if (status === 429 || status === 503) return { 'Retry-After': '1' }
  return status === 401 && challenge !== undefined ? { 'WWW-Authenticate': challenge } : {}
}
