import type { ReplyMiddleware } from '../../../../../mocks/stateful/oauth/realm.ts'
import { type MakeAuthDeviation, onReply } from '../building.ts'

// What faults of the authorization endpoints are built from.

type Reply = Parameters<ReplyMiddleware>[1]
export type Request = Parameters<ReplyMiddleware>[2]

/** Several deviations of one server. No two may stand at the same place. */
export const both =
  (...makes: readonly MakeAuthDeviation[]): MakeAuthDeviation =>
  (hit) =>
    Object.assign({}, ...makes.map((make) => make(hit))) as ReturnType<MakeAuthDeviation>

/** The address to which a reply sends a client's user; undefined for all others. */
export function backOf({ headers: { Location } = {} }: Reply): URL | undefined {
  if (Location === undefined || !URL.canParse(Location)) return undefined
  const url = new URL(Location)
  return ['code', 'error'].some((name) => url.searchParams.has(name)) ? url : undefined
}

export const withLocation = (reply: Reply, url: URL | string): Reply => ({
  ...reply,
  headers: { ...reply.headers, Location: String(url) },
})

/** Changes where users are sent back to; nothing given back leaves it as it is. */
export const sendingBack = (
  change: (url: URL, request: Request, reply: Reply) => URL | string | undefined | void,
): MakeAuthDeviation =>
  onReply((reply, request) => {
    const url = backOf(reply)
    const changed = url === undefined ? undefined : change(url, request, reply)
    return changed === undefined ? undefined : withLocation(reply, changed)
  })

/** The same, of those who come with a code. */
export const withCode = (
  change: (url: URL) => URL | string | undefined | void,
): MakeAuthDeviation =>
  sendingBack((url) => (url.searchParams.has('code') ? change(url) : undefined))

/** The same, of those who come with an error from /authorize. */
export const withError = (
  test: (request: Request) => boolean,
  change: (url: URL) => URL | string | undefined | void,
): MakeAuthDeviation =>
  onReply((reply, request, endpoint) => {
    const url = endpoint === 'authorize' ? backOf(reply) : undefined
    const changed = url === undefined || !test(request) ? undefined : change(url)
    return changed === undefined ? undefined : withLocation(reply, changed)
  })

/** The same, of those who denied. */
export const withDenial = (
  change: (url: URL) => URL | string | undefined | void,
): MakeAuthDeviation =>
  sendingBack((url) =>
    url.searchParams.get('error') === 'access_denied' ? change(url) : undefined,
  )

/** Changes the text of pages that ask; nothing given back leaves one as it is. */
export const pages = (change: (html: string, request: Request) => string): MakeAuthDeviation =>
  onReply((reply, request) => {
    if (!(reply.body instanceof Buffer)) return undefined
    const html = reply.body.toString()
    const changed = html.includes('value="approve"') ? change(html, request) : html
    return changed === html ? undefined : { ...reply, body: Buffer.from(changed) }
  })

/** An address with a parameter set, or without it. */
export function having(url: URL, name: string, value: string | undefined): URL {
  const changed = new URL(url)
  if (value === undefined) changed.searchParams.delete(name)
  else changed.searchParams.set(name, value)
  return changed
}
