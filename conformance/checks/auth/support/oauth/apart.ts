import { Blocked } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { members } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'

/** Blocks the check where a client of another name gets the same id: who gives one client to everybody has registered nobody. */
export async function toldApart(
  { registering, send }: AuthWorld,
  made: HttpExchange,
): Promise<void> {
  const other = await send(await registering({ client_name: 'Touchstone beside' }))
  if (members(other)['client_id'] === members(made)['client_id'])
    throw new Blocked('AUTH-REGISTER-03', `${made.summary}, and the same again`)
}
