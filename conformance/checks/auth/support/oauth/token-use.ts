import type { HttpExchange } from '../../../../wire/index.ts'
import { isServed } from '../protected-endpoints.ts'
import type { AuthWorld } from '../world.ts'
import { Blocked, type Expectation } from '../../../../engine/index.ts'
import { ownClient } from './clients-and-codes.ts'

export const noLongerWorks: Expectation<HttpExchange> = {
  name: 'no longer works',
  expected: 'a 4xx status',
  test: ({ status = 0 }) => status >= 400 && status < 500,
}

/** Blocks the check if a new token does not work, because a later refusal then proves nothing. */
export async function requireWorkingToken(
  { useToken, servedRequirement }: AuthWorld,
  token: string,
): Promise<void> {
  const refused = (await useToken(token)).find((exchange) => !isServed(exchange))
  if (refused !== undefined) throw new Blocked(servedRequirement, refused.summary)
}

/**
 * Exchanges a code that is `seconds` seconds old by the server's clock. First exchanges a new code,
 * which must work.
 */
export async function exchangeAgedCode(
  world: AuthWorld,
  seconds: number,
  judge: (response: HttpExchange) => void,
): Promise<void> {
  const { runInFinalStage, withClockAhead, obtainGrant, newTokenRequest, sendOrBlock, send } = world
  const client = await ownClient(world)
  await runInFinalStage(async () => {
    await sendOrBlock(await newTokenRequest(await obtainGrant({}, client)))
    const request = await newTokenRequest(await obtainGrant({}, client))
    judge(await withClockAhead(seconds, () => send(request)))
  })
}

/**
 * Uses a revoked token for some seconds, until it is refused. A server may cache lookups, or need
 * time to propagate the revocation (RFC 7009 §2).
 */
export async function useUntilRefused(
  { useToken, clock, signal }: AuthWorld,
  token: string,
): Promise<HttpExchange[]> {
  for (let seconds = 0; ; seconds += 1) {
    const responses = await useToken(token)
    if (seconds === maxPropagationSeconds || !responses.some(isServed)) return responses
    await clock.sleep(1000, signal)
  }
}

/** The maximum time that a revocation may take, in seconds. */
const maxPropagationSeconds = 5
