import type { HttpExchange } from '../../../../wire/index.ts'

/** What an answer says in WWW-Authenticate: each header, however many challenges it holds. */
export const challengesIn = (exchange: HttpExchange): string[] =>
  exchange.headersOf('www-authenticate')

/** Texts in quotes may hold whatever reads like a challenge. */
const bare = (header: string): string => header.replace(/"(?:[^"\\]|\\.)*"/g, '""')

/** Whether one of the challenges has the scheme Bearer. */
export const namesBearer = (exchange: HttpExchange): boolean =>
  challengesIn(exchange).some((header) => /(^|,)\s*Bearer(\s|,|$)/i.test(bare(header)))

/** Where the challenge says that the metadata of the resource are (RFC 9728 §5.1); undefined where it does not. */
export function metadataNamed(exchange: HttpExchange): string | undefined {
  for (const header of challengesIn(exchange)) {
    const [, quoted, plain] = /\bresource_metadata *= *(?:"([^"]*)"|([^\s,]+))/i.exec(header) ?? []
    if ((quoted ?? plain) !== undefined) return quoted ?? plain
  }
  return undefined
}
