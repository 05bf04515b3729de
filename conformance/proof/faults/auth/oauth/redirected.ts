import type { ReplyMiddleware } from '../../../../../mocks/stateful/oauth/realm.ts'

type Reply = Parameters<ReplyMiddleware>[1]

/** Where an answer sends a browser; undefined where it sends it nowhere. */
export function locationOf({ headers = {} }: Reply): URL | undefined {
  const location = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1]
  return typeof location === 'string' && URL.canParse(location) ? new URL(location) : undefined
}

/** The same answer with another address to which it sends the browser; undefined where it sends it nowhere, or `change` says that there is nothing to change. */
export function redirected(reply: Reply, change: (url: URL) => boolean): Reply | undefined {
  const url = locationOf(reply)
  if (url === undefined || !change(url)) return undefined
  return { ...reply, headers: { ...reply.headers, Location: url.href } }
}

/** Whether an answer sends a browser to another host than this address. */
export function elsewhere(reply: Reply, address: string): boolean {
  const url = locationOf(reply)
  return url !== undefined && url.host !== new URL(address).host
}
