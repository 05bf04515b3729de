/** A URL in the parts that a request needs. */
export interface Address {
  secure: boolean
  hostname: string
  port: number
  /** For the Host header. */
  host: string
  /** Path and query as they were written. */
  path: string
  /** User and password, where the URL has them. */
  auth?: string
}

/** Takes an absolute http or https URL apart; undefined for everything else. The path stays as it is: no dot is resolved, no escape rewritten. */
export function addressOf(text: string): Address | undefined {
  const found = /^(https?):\/\/[^/?#\\]+([^#]*)/i.exec(text)
  if (found === null || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const secure = url.protocol === 'https:'
  // Only what no request line can hold is encoded.
  const rest = found[2]!.replace(/[^\x21-\x7e]+/gu, (odd) =>
    encodeURIComponent(Buffer.from(odd).toString()),
  )
  const auth =
    url.username + url.password === ''
      ? undefined
      : `${decoded(url.username)}:${decoded(url.password)}`
  return {
    secure,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    host: url.host,
    path: rest.startsWith('/') ? rest : `/${rest}`,
    ...(auth === undefined ? {} : { auth }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
