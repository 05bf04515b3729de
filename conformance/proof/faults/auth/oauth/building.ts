import type { ReplyMiddleware } from '../../../../../mocks/stateful/oauth/realm.ts'
import { type MakeAuthDeviation, onReply } from '../building.ts'

// Building blocks for the faults of the authorization endpoints.

type Reply = Parameters<ReplyMiddleware>[1]
export type Request = Parameters<ReplyMiddleware>[2]

/** Combines deviations. They must not have a key in common. */
export const combine =
  (...makes: readonly MakeAuthDeviation[]): MakeAuthDeviation =>
  (hit) =>
    Object.assign({}, ...makes.map((make) => make(hit))) as ReturnType<MakeAuthDeviation>

/** The URL of a redirect back to the client; undefined for other replies. */
export function clientRedirectOf({ headers: { Location } = {} }: Reply): URL | undefined {
  if (Location === undefined || !URL.canParse(Location)) return undefined
  const url = new URL(Location)
  return ['code', 'error'].some((name) => url.searchParams.has(name)) ? url : undefined
}

export const withLocation = (reply: Reply, url: URL | string): Reply => ({
  ...reply,
  headers: { ...reply.headers, Location: String(url) },
})

/**
 * Changes redirects back to the client. If `change` returns undefined, the redirect is not changed.
 */
export const onClientRedirect = (
  change: (url: URL, request: Request, reply: Reply) => URL | string | undefined | void,
): MakeAuthDeviation =>
  onReply((reply, request) => {
    const url = clientRedirectOf(reply)
    const changed = url === undefined ? undefined : change(url, request, reply)
    return changed === undefined ? undefined : withLocation(reply, changed)
  })

/** Changes redirects to the client that contain a code. */
export const onCodeRedirect = (
  change: (url: URL) => URL | string | undefined | void,
): MakeAuthDeviation =>
  onClientRedirect((url) => (url.searchParams.has('code') ? change(url) : undefined))

/**
 * Changes redirects from /authorize back to the client, if `test` returns true for the request.
 * Such a redirect usually reports an error: a code is issued later, by another endpoint.
 */
export const onAuthorizeRedirect = (
  test: (request: Request) => boolean,
  change: (url: URL) => URL | string | undefined | void,
): MakeAuthDeviation =>
  onReply((reply, request, endpoint) => {
    const url = endpoint === 'authorize' ? clientRedirectOf(reply) : undefined
    const changed = url === undefined || !test(request) ? undefined : change(url)
    return changed === undefined ? undefined : withLocation(reply, changed)
  })

/** Changes redirects to the client after the user denied access. */
export const onDenialRedirect = (
  change: (url: URL) => URL | string | undefined | void,
): MakeAuthDeviation =>
  onClientRedirect((url) =>
    url.searchParams.get('error') === 'access_denied' ? change(url) : undefined,
  )

/** Changes the HTML of consent pages. */
export const onConsentPage = (
  change: (html: string, request: Request) => string,
): MakeAuthDeviation =>
  onReply((reply, request) => {
    if (!(reply.body instanceof Buffer)) return undefined
    const html = reply.body.toString()
    const changed = html.includes('value="approve"') ? change(html, request) : html
    return changed === html ? undefined : { ...reply, body: Buffer.from(changed) }
  })

/** Returns the URL with a parameter set, or removed if the value is undefined. */
export function withParameter(url: URL, name: string, value: string | undefined): URL {
  const changed = new URL(url)
  if (value === undefined) changed.searchParams.delete(name)
  else changed.searchParams.set(name, value)
  return changed
}
