import type { HttpExchange } from '../../wire/index.ts'

/** The keys of the target file that decide where requests go, and with which token. */
export interface RequestKeys {
  /** The key of the base URL, and what the URL may lack: `the version segment`. */
  readonly url: string
  readonly part: string
  /** The key of the account or project in the path, if the path contains one. */
  readonly owner?: string
  /** The key of the token, and its environment variable. */
  readonly token: string
  readonly variable: string
}

/**
 * Explains why a server rejected several requests in the same way: a wrong URL, token or owner in
 * the target file. A single request proves nothing, because its operation may be broken. Undefined
 * if the responses differ, or prove nothing.
 */
export function explainRejection(
  exchanges: readonly HttpExchange[],
  { url, part, owner, token, variable }: RequestKeys,
): string | undefined {
  const [first] = exchanges
  if (first === undefined) return undefined
  const { status, failure, request } = first
  if (exchanges.some((exchange) => exchange.status !== status)) return undefined
  const where = `${request.method} ${request.url}`
  if (status === undefined)
    return first.isInterrupted ? undefined : `${failure} (${where}). Check ${url}.`
  if (status === 401) return `401 for ${where}: ${token} (${variable}) was refused.`
  if (status === 403)
    return `403 for ${where}: ${token} (${variable}) was refused, or it does not allow access${owner === undefined ? '' : ` to ${owner}`}.`
  if (status === 404 || status === 405)
    return `${status} for ${where}: check ${owner === undefined ? '' : `${owner}, and `}whether ${url} lacks ${part}.`
  if (status >= 300 && status < 400)
    return `${status} for ${where}, to ${JSON.stringify(first.header('location') ?? 'no Location')}: correct ${url}.`
  return undefined
}
