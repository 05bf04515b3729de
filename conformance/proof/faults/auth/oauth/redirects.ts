import type { ReplyMiddleware } from '../../../../../mocks/stateful/oauth/realm.ts'

type Reply = Parameters<ReplyMiddleware>[1]

/** The URL that a reply redirects to, if any. */
export function locationOf({ headers = {} }: Reply): URL | undefined {
  const location = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1]
  return typeof location === 'string' && URL.canParse(location) ? new URL(location) : undefined
}

/**
 * Changes the URL of a redirect; undefined if the reply is not a redirect or `change` returns
 * false.
 */
export function changeRedirect(reply: Reply, change: (url: URL) => boolean): Reply | undefined {
  const url = locationOf(reply)
  if (url === undefined || !change(url)) return undefined
  return { ...reply, headers: { ...reply.headers, Location: url.href } }
}

/** Whether a reply redirects to another host than that of `address`. */
export function leadsElsewhere(reply: Reply, address: string): boolean {
  const url = locationOf(reply)
  return url !== undefined && url.host !== new URL(address).host
}
