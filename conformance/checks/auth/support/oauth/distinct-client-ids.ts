import { Blocked } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { members } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'

/**
 * Blocks the check if another client gets the same id. A server that returns the same client_id to
 * every registration has registered no one.
 */
export async function requireDistinctClientIds(
  { newRegistrationRequest, send }: AuthWorld,
  first: HttpExchange,
): Promise<void> {
  const second = await send(await newRegistrationRequest({ client_name: 'Touchstone, second' }))
  if (members(second)['client_id'] === members(first)['client_id'])
    throw new Blocked('AUTH-REGISTER-03', `${first.summary}, and the same client_id again`)
}
