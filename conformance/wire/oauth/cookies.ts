import { hostOf } from '../receiver/address.ts'

interface Cookie {
  name: string
  value: string
  host: string
  /** Whether the cookie is also sent to subdomains of `host`. */
  includesSubdomains: boolean
  path: string
  secure: boolean
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/**
 * `cookies`: this many cookies are kept, the latest ones. `characters`: a longer header is ignored.
 */
const limits = { cookies: 300, characters: 8192 }

/**
 * The cookies of one browser (RFC 6265). As in browsers, all ports of a host share cookies.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5
 */
export class CookieJar {
  private cookies: Cookie[] = []
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /**
   * Stores or deletes cookies as the Set-Cookie headers of a response require. Ignores headers that
   * are malformed or for other hosts.
   */
  store(url: string, headers: readonly string[]): void {
    for (const header of headers) {
      const cookie = this.parse(url, header)
      if (cookie === undefined) continue
      this.cookies = this.cookies.filter(
        (other) =>
          other.name !== cookie.name || other.host !== cookie.host || other.path !== cookie.path,
      )
      if (cookie.expiresAt > this.now()) this.cookies.push(cookie)
    }
    this.cookies = this.cookies.slice(-limits.cookies)
  }

  /** The Cookie header for a URL, with longer paths first. Undefined if there are no cookies. */
  header(url: string): string | undefined {
    const { protocol, pathname } = new URL(url)
    const host = hostOf(url)
    const own = this.cookies.filter(
      (cookie) =>
        cookie.expiresAt > this.now() &&
        (cookie.host === host || (cookie.includesSubdomains && host.endsWith(`.${cookie.host}`))) &&
        (pathname === cookie.path ||
          pathname.startsWith(cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`)) &&
        (!cookie.secure || protocol === 'https:' || isLoopback(host)),
    )
    return own.length === 0
      ? undefined
      : own
          .sort((a, b) => b.path.length - a.path.length)
          .map(({ name, value }) => (name === '' ? value : `${name}=${value}`))
          .join('; ')
  }

  private parse(url: string, header: string): Cookie | undefined {
    const [pair = '', ...rest] = header.split(';')
    const equals = pair.indexOf('=')
    const [name, value] =
      equals === -1
        ? ['', pair.trim()]
        : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    if ((name === '' && value === '') || header.length > limits.characters) return undefined
    const attributes = new Map(
      rest.map((part): [string, string] => {
        const at = part.indexOf('=')
        return at === -1
          ? [part.trim().toLowerCase(), '']
          : [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]
      }),
    )
    const own = hostOf(url)
    const domain = (attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase()
    // The domain must be the host or a parent domain, but not a top-level domain.
    if (
      domain !== '' &&
      domain !== own &&
      !(own.endsWith(`.${domain}`) && domain.includes('.') && !/^[\d.]+$/.test(own))
    )
      return undefined
    const path = attributes.get('path') ?? ''
    return {
      name,
      value,
      host: domain === '' ? own : domain,
      includesSubdomains: domain !== '' && !isLoopback(own),
      path: path.startsWith('/') ? path : folderOf(new URL(url).pathname),
      secure: attributes.has('secure'),
      expiresAt: this.expiryOf(attributes),
    }
  }

  private expiryOf(attributes: ReadonlyMap<string, string>): number {
    const age = attributes.get('max-age')
    if (age !== undefined && /^-?\d+$/.test(age)) return this.now() + Number(age) * 1000
    const date = Date.parse(attributes.get('expires') ?? '')
    return Number.isNaN(date) ? Infinity : date
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** Whether browsers treat a host as this machine. Pass an IPv6 address without brackets. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
}
