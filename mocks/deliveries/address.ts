/** The parts of a URL that a request needs. */
export interface Address {
  secure: boolean
  hostname: string
  port: number
  /** The host, with the port if it is not the default one, for the Host header. */
  host: string
  /** Path and query, unchanged. */
  path: string
  /** User and password, if the URL contains them. */
  auth?: string
}

/**
 * Parses an absolute http or https URL. Returns undefined for any other string. Does not normalise
 * the path: dots and escapes stay as they are.
 */
export function addressOf(address: string): Address | undefined {
  const match = /^(https?):\/\/[^/?#\\]+([^#]*)/i.exec(address)
  if (match === null || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const secure = url.protocol === 'https:'
  // Encode only characters that a request line cannot contain.
  const pathAndQuery = match[2]!.replace(/[^\x21-\x7e]+/gu, (characters) =>
    encodeURIComponent(Buffer.from(characters).toString()),
  )
  const auth =
    url.username + url.password === ''
      ? undefined
      : `${decode(url.username)}:${decode(url.password)}`
  return {
    secure,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    host: url.host,
    path: pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`,
    ...(auth === undefined ? {} : { auth }),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
