import { type Expectation, labelled } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import { type ProbedEndpoint, isEntryPoint } from '../probed-endpoints.ts'
import { isServed, type ProtectedEndpoint } from '../protected-endpoints.ts'
import { served } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'

/**
 * Whether the endpoint refuses even a valid token with the status of this response, for example
 * with 405. The response then proves nothing about the token.
 */
const isRefusedAlways = ({ exchange }: ProbedEndpoint, response: HttpExchange): boolean =>
  !isServed(exchange) && response.status === exchange.status

/**
 * Sends a request to each endpoint, one at a time, because the last request ends the session if it
 * succeeds.
 */
export async function expectAtEndpoints(
  { send, expect }: AuthWorld,
  endpoints: readonly ProbedEndpoint[],
  request: (endpoint: ProtectedEndpoint) => HttpRequest,
  ...expectations: Expectation<HttpExchange>[]
): Promise<void> {
  for (const one of endpoints) {
    const response = await send(request(one.endpoint))
    if (!isRefusedAlways(one, response)) expect(response, ...expectations)
  }
}

/**
 * Expects success at every entry point that accepts the valid token. Entry points that refuse the
 * valid token are reported by AUTH-RESOURCE-01.
 */
export async function expectServedAtEntryPoints(
  { send, expect, probeEndpoints }: AuthWorld,
  label: string,
  authorization: string,
): Promise<void> {
  for (const { endpoint } of (await probeEndpoints()).filter(
    (one) => isEntryPoint(one) && isServed(one.exchange),
  ))
    expect(await send(endpoint.request(authorization)), labelled(label, served))
}
