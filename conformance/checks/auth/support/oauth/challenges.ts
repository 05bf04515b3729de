import type { HttpExchange } from '../../../../wire/index.ts'

/**
 * The values of the WWW-Authenticate headers. Each value may contain several challenges.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export const challengesIn = (exchange: HttpExchange): string[] =>
  exchange.headersOf('www-authenticate')

/**
 * The URL of the resource's metadata in a challenge (RFC 9728 §5.1); undefined if no challenge
 * contains one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 */
export function resourceMetadataUrl(exchange: HttpExchange): string | undefined {
  for (const header of challengesIn(exchange)) {
    const [, quoted, plain] = /\bresource_metadata *= *(?:"([^"]*)"|([^\s,]+))/i.exec(header) ?? []
    if ((quoted ?? plain) !== undefined) return quoted ?? plain
  }
  return undefined
}
