import type { Header } from '../../../mocks/deliveries/headers.ts'
import { valuesOf, type Pair } from './headers.ts'

/**
 * Headers that concern one connection (RFC 9110 §7.6.1), and those that a client computes for each
 * request. The list contains `Expect`, because the whole body has been read already.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
 */
const hopByHop = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Returns the headers that an intermediary passes on, in their order. */
export function endToEnd(headers: readonly Pair[]): Header[] {
  const listed = valuesOf(headers, 'connection')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
  const dropped = new Set([...hopByHop, ...listed])
  return headers
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .map(([name, value]) => [name, value])
}
