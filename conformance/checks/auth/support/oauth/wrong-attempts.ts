import { randomBytes } from 'node:crypto'
import { encodeFields, type HttpRequest, type McpExchange } from '../../../../wire/index.ts'
import { buildCodeExchange } from '../grant.ts'
import type { AuthWorld } from '../world.ts'

/**
 * Sends a form. Does not repeat it after status 429, for which the check waits. Does not record the
 * exchange, because it is not an MCP message.
 */
export async function sendOnce(
  { harness, runThroughGate }: AuthWorld,
  { method, url, headers, body }: HttpRequest,
): Promise<McpExchange> {
  const { client } = await harness()
  const fields = body?.kind === 'fields' ? body.fields : []
  return runThroughGate(() =>
    client.http({
      operation: 'wrong attempt',
      method,
      url,
      headers: {
        Authorization: undefined,
        ...headers,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: encodeFields(fields),
    }),
  )
}

/** A request to exchange a code that the server did not issue. */
export async function newWrongAttempt(world: AuthWorld): Promise<HttpRequest> {
  const authorization = await world.newAuthorizationRequest()
  const { token } = await world.findEndpoints()
  return buildCodeExchange(
    token,
    {
      client: authorization.client,
      authorization,
      flow: {
        authorization,
        destination: undefined,
        exchanges: [],
        pages: [],
        browser: undefined,
        summary: '',
      },
      code: randomBytes(32).toString('base64url'),
    },
    authorization.client,
    {},
  )
}
