import type { IncomingMessage, ServerResponse } from 'node:http'

/** The paths below `/_touchstone/`, which belong to no contract, with their methods. */
const methods = {
  reset: 'POST',
  events: 'POST',
  deliveries: 'GET',
  clock: 'POST',
  audit: 'GET',
  upstream: 'POST',
  identity: 'POST',
} as const

export type ControlPath = keyof typeof methods

/** Whether a request is for a path of the mock itself. */
export const isControlPath = ({ url = '' }: IncomingMessage): boolean =>
  url.startsWith('/_touchstone/')

/** Whether a request is for this path of the mock itself. */
export const isPath = (name: ControlPath, { url = '' }: IncomingMessage): boolean =>
  url.split('?', 1)[0] === `/_touchstone/${name}`

/**
 * Refuses a request for one of these paths with another method, or for a path that only the
 * stateful mock has. Returns whether it has refused the request.
 */
export function refuseControlRequest(
  request: IncomingMessage,
  response: ServerResponse,
  own: readonly ControlPath[],
  ofStateful: readonly ControlPath[],
): boolean {
  const isRequested = (name: ControlPath) => isPath(name, request)
  if (ofStateful.some(isRequested)) {
    response.writeHead(404).end('Only the stateful mock has this path. Start it with --stateful.\n')
    return true
  }
  const found = own.find(isRequested)
  if (found === undefined || request.method === methods[found]) return false
  response.writeHead(405, { Allow: methods[found] }).end(`Use ${methods[found]}.\n`)
  return true
}
