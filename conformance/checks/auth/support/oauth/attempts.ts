import { randomBytes } from 'node:crypto'
import { encodeFields, type HttpRequest, type McpExchange } from '../../../../wire/index.ts'
import { exchangeOf } from '../grant.ts'
import type { AuthWorld } from '../world.ts'

/** Sends a request once: a door that asks again after a 429 would wait for what is looked for here. It is no message of MCP, so nobody else is shown it. */
export async function once(
  { harness }: AuthWorld,
  { method, url, headers, body }: HttpRequest,
): Promise<McpExchange> {
  const { client } = await harness()
  const fields = body?.kind === 'fields' ? body.fields : []
  return client.http({
    operation: 'wrong attempt',
    method,
    url,
    headers: {
      Authorization: undefined,
      ...headers,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: encodeFields(fields),
  })
}

/** An exchange of a code that nobody was given. */
export async function wrongAttempt(world: AuthWorld): Promise<HttpRequest> {
  const ask = await world.ask()
  const { token } = await world.endpoints()
  return exchangeOf(
    token,
    {
      client: ask.client,
      ask,
      walk: { ask, back: undefined, exchanges: [], pages: [], browser: undefined, summary: '' },
      code: randomBytes(32).toString('base64url'),
    },
    ask.client,
    {},
  )
}
