import type { IncomingMessage } from 'node:http'

/**
 * Sets or removes a header of a request, both in Node's parsed headers and in the raw ones that the
 * SDK reads.
 */
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
