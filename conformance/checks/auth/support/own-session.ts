import { NotApplicable } from '../../../engine/index.ts'
import { endpointInSession, isServed, type ProtectedEndpoint } from './protected-endpoints.ts'
import { isEntryPoint } from './probed-endpoints.ts'
import type { AuthWorld } from './world.ts'

/**
 * Opens a session over streamable HTTP with a token. Returns the endpoint for requests in it, or
 * undefined if the server has no sessions.
 */
export async function openSessionWith(
  world: AuthWorld,
  token: string,
): Promise<ProtectedEndpoint | undefined> {
  const entry = (await world.probeEndpoints()).find(
    (one) => isEntryPoint(one) && one.endpoint.transport === 'http',
  )
  if (entry === undefined) return undefined
  return endpointInSession(await world.send(entry.endpoint.request(`Bearer ${token}`)))
}

/**
 * Opens a session over streamable HTTP with the token of one user. Expects the server to refuse the
 * token of another user in it.
 */
export async function expectOwnSession(
  world: AuthWorld,
  opener: string,
  other: string,
): Promise<void> {
  const endpoint = await openSessionWith(world, opener)
  if (endpoint === undefined) throw new NotApplicable('there are no sessions')
  const response = await world.send(endpoint.request(`Bearer ${other}`))
  // The owner still uses the session, so the other user is not refused for its end.
  const control = await world.send(endpoint.request(`Bearer ${opener}`))
  if (!isServed(control)) await world.requireMet(world.servedRequirement, control.summary)
  world.expect(response, {
    name: 'refuses the other user',
    expected: 'a 4xx status',
    test: ({ status = 0 }) => status >= 400 && status < 500,
  })
}
