import type { McpConnection } from '../../../wire/index.ts'

/**
 * Returns the first event of a stream, or undefined if no event is complete yet. Skips comments,
 * ids, retry times and events without data, which servers send to make a stream resumable.
 */
export function firstEvent(stream: string): { type: string; data: string } | undefined {
  const blocks = stream.replace(/^\uFEFF/, '').split(/(?:\r\n|\r(?!\n)|\n){2}/)
  // The last block is incomplete.
  for (const block of blocks.slice(0, -1)) {
    const fields = block.split(/\r\n|\r|\n/).map((line) => /^(event|data)(?:: ?(.*))?$/.exec(line))
    const valuesOf = (name: string) =>
      fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []))
    const event = { type: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') }
    if (valuesOf('data').length > 0 && (event.data !== '' || event.type !== 'message')) return event
  }
  return undefined
}

/**
 * Whether a string has only characters of a URI reference (RFC 3986).
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-4.1
 */
export const isUriReference = (value: string): boolean =>
  /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/.test(value)

/**
 * Describes what is wrong with the endpoint event; undefined if it is valid or there is no stream.
 */
export function describeEndpointFlaw({
  stream,
  endpoint,
}: Pick<McpConnection, 'stream' | 'endpoint'>): string | undefined {
  if (stream?.httpStatus !== 200 || stream.contentType !== 'text/event-stream') return undefined
  if (endpoint === undefined) return 'no endpoint event was received'
  return isUriReference(endpoint)
    ? undefined
    : `the endpoint is not a URL: ${JSON.stringify(endpoint.slice(0, 120))}`
}
