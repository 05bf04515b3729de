/**
 * Reads metadata: a map of names and texts, or `name=value,name=value` from the command line, where a comma in a value is no end of it unless a name follows.
 * Undefined for what is neither; says what is wrong with a name or a value, and never shows a value, since it may be a secret.
 */
export function readMap(
  value: unknown,
): { value: Readonly<Record<string, string>> } | { wrong: string } | undefined {
  const entries = entriesOf(value)
  if (entries === undefined || entries.length === 0) return undefined
  for (const [name, text] of entries) {
    const problem = problemOf(name, text)
    if (problem !== undefined) return { wrong: problem }
  }
  // HTTP/2 knows small letters only.
  return {
    value: Object.fromEntries(
      (entries as [string, string][]).map(([name, text]) => [name.toLowerCase(), text]),
    ),
  }
}

function entriesOf(value: unknown): [string, unknown][] | undefined {
  if (typeof value === 'string') {
    const pairs = value
      .split(/,(?=\s*[\w.-]+=)/)
      .map((pair) => pair.trim())
      .map((pair): [string, string] => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)])
    return value.includes('=') ? pairs : undefined
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : undefined
}

/** Names that gRPC and HTTP/2 write themselves. */
const reserved =
  /^(grpc-.*|te|content-type|content-length|host|connection|transfer-encoding|upgrade|keep-alive|proxy-connection|http2-settings)$/i

function problemOf(name: string, text: unknown): string | undefined {
  if (!/^[\w.-]+$/.test(name))
    return `has a name that no metadata can have: ${JSON.stringify(name)}`
  if (reserved.test(name)) return `names ${name}, which the protocol itself writes`
  if (typeof text !== 'string')
    return `wants text at ${name}, in quotes where it looks like a number`
  if (text === '') return `has no value at ${name}`
  if (name.toLowerCase().endsWith('-bin'))
    return /^[\w+/-]+={0,2}$/.test(text)
      ? undefined
      : `wants base64 at ${name}, as for all names that end in -bin`
  return /^[\x20-\x7e]+$/.test(text)
    ? undefined
    : `has a character at ${name} that is no printable ASCII`
}
