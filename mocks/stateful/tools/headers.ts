import type { IncomingMessage } from 'node:http'

/**
 * Sets or removes a header of a request, both in Node's parsed headers and in the raw headers,
 * which the SDK reads.
 */
export function setHeader(request: IncomingMessage, name: string, value: string | undefined): void {
  const raw: string[] = []
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [currentName = '', currentValue = ''] = request.rawHeaders.slice(index, index + 2)
    if (currentName.toLowerCase() !== name) raw.push(currentName, currentValue)
  }
  if (value === undefined) delete request.headers[name]
  else {
    request.headers[name] = value
    raw.push(name, value)
  }
  request.rawHeaders.splice(0, Infinity, ...raw)
}
