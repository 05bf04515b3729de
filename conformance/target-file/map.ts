/**
 * Reads metadata: a map of strings, or `name=value,name=value` from the command line. There, a
 * comma ends a value only if `name=` follows. Returns undefined for other values. Reports what is
 * wrong with a name or a value, but never shows a value, because it may be a secret.
 */
export function readMap(
  value: unknown,
): { value: Readonly<Record<string, string>> } | { wrong: string } | undefined {
  const entries = entriesOf(value)
  if (entries === undefined || entries.length === 0) return undefined
  for (const [name, content] of entries) {
    const problem = problemOf(name, content)
    if (problem !== undefined) return { wrong: problem }
  }
  // HTTP/2 allows only lowercase names.
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

/** Names that gRPC or HTTP/2 sets itself. */
const reserved =
  /^(grpc-.*|te|content-type|content-length|host|connection|transfer-encoding|upgrade|keep-alive|proxy-connection|http2-settings)$/i

function problemOf(name: string, text: unknown): string | undefined {
  if (!/^[\w.-]+$/.test(name))
    return `contains a name that is not valid in metadata: ${JSON.stringify(name)}`
  if (reserved.test(name)) return `contains ${name}, which the protocol sets itself`
  if (typeof text !== 'string')
    return `must have a string at ${name}, in quotes if it looks like a number`
  if (text === '') return `has no value at ${name}`
  if (name.toLowerCase().endsWith('-bin'))
    return /^[\w+/-]+={0,2}$/.test(text)
      ? undefined
      : `must have a base64 string at ${name}, because names that end in -bin have binary values`
  return /^[\x20-\x7e]+$/.test(text)
    ? undefined
    : `has a character at ${name} that is not printable ASCII`
}
