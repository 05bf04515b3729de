/**
 * The headers of a request: those of `node:http` and of Express, the `Headers` of fetch, or any
 * object with the names of headers as keys, in any case.
 *
 * @example
 * const headers: RequestHeaders = { 'x-hook-event': 'Push Hook', 'X-Hook-Token': ['secret'] }
 */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** Returns all values of a header. */
export function headerValues(headers: RequestHeaders, name: string): readonly string[] {
  if (isFetchHeaders(headers)) {
    const value = headers.get(name)
    return value === null ? [] : [value]
  }
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
}

const isFetchHeaders = (
  headers: RequestHeaders,
): headers is Extract<RequestHeaders, { get(name: string): string | null }> =>
  typeof headers.get === 'function'
