import type { IncomingMessage } from 'node:http'

/** Gives a request another header, or takes one away, for all who read it: Node's own form, and the raw one that the SDK reads. */
export function setHeader(request: IncomingMessage, name: string, value: string | undefined): void {
  const raw: string[] = []
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [known = '', its = ''] = request.rawHeaders.slice(at, at + 2)
    if (known.toLowerCase() !== name) raw.push(known, its)
  }
  if (value === undefined) delete request.headers[name]
  else {
    request.headers[name] = value
    raw.push(name, value)
  }
  request.rawHeaders.splice(0, Infinity, ...raw)
}
