import { Blocked } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { bearerClient } from '../client-pool.ts'
import type { Registration } from '../registration-world.ts'
import { members } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'

/** The registration of a client without a secret, with the default metadata of the suite. */
export const plainRegistration = ({ sharedRegistration }: AuthWorld): Promise<Registration> =>
  sharedRegistration('none')

/**
 * Blocks the check if another client got the same id: a server that returns one client_id for all
 * registrations has registered no client.
 */
export async function requireDistinctClientIds(
  world: AuthWorld,
  first: HttpExchange,
): Promise<void> {
  const others = [await plainRegistration(world), await world.registrationOf(bearerClient)]
  const id = members(first)['client_id']
  if (others.some(({ response }) => response !== first && members(response)['client_id'] === id))
    throw new Blocked(
      'AUTH-REGISTER-03',
      `${first.summary}, with the client_id of another registration`,
    )
}
