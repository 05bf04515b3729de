import type { McpConnection } from '../../../wire/index.ts'

/** The first event of a stream: comments, ids and times are none, and neither is what has no data but is there for whoever comes back. Undefined while there is none. */
export function firstEvent(stream: string): { type: string; data: string } | undefined {
  const blocks = stream.replace(/^\uFEFF/, '').split(/(?:\r\n|\r(?!\n)|\n){2}/)
  // The last block has not come to its end.
  for (const block of blocks.slice(0, -1)) {
    const fields = block.split(/\r\n|\r|\n/).map((line) => /^(event|data)(?:: ?(.*))?$/.exec(line))
    const valuesOf = (name: string) =>
      fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []))
    const event = { type: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') }
    if (valuesOf('data').length > 0 && (event.data !== '' || event.type !== 'message')) return event
  }
  return undefined
}

/** A reference to a URI (RFC 3986): the characters that one is made of. */
export const isUriReference = (text: string): boolean =>
  /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/.test(text)

/** What the stream says of the endpoint that cannot be right, in words; undefined where it is told, or where there is no stream. */
export function describeEndpointFlaw({
  stream,
  endpoint,
}: Pick<McpConnection, 'stream' | 'endpoint'>): string | undefined {
  if (stream?.httpStatus !== 200 || stream.contentType !== 'text/event-stream') return undefined
  if (endpoint === undefined) return 'no endpoint event came'
  return isUriReference(endpoint)
    ? undefined
    : `the endpoint is no URL: ${JSON.stringify(endpoint.slice(0, 120))}`
}
