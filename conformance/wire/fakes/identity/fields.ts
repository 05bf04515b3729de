/** Names and values, in the order in which they were received. */
export type Pairs = readonly (readonly [string, string])[]

export function valueOf(pairs: Pairs, name: string): string | undefined {
  return pairs.find(([candidate]) => candidate === name)?.[1]
}

/** Splits the URL of a request into its path and the parameters of its query. */
export function pathOf(url: string): { path: string; query: Pairs } {
  const question = url.indexOf('?')
  return question === -1
    ? { path: url, query: [] }
    : { path: url.slice(0, question), query: [...new URLSearchParams(url.slice(question + 1))] }
}

/** The fields of a body that is a form or a JSON object; empty for other bodies. */
export function fieldsIn(body: string, type = ''): Pairs {
  if (!/\bjson\b/i.test(type)) return [...new URLSearchParams(body)]
  try {
    const value = JSON.parse(body) as unknown
    return typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, member]) => [name, String(member)])
      : []
  } catch {
    return []
  }
}

/**
 * Adds parameters to the query of a URL. Returns undefined if the URL is missing or not absolute.
 */
export function withQuery(address: string | undefined, more: Pairs): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  for (const [name, value] of more) url.searchParams.append(name, value)
  return url.href
}
