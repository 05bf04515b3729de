import type { HttpExchange } from '../../../../wire/index.ts'
import { isServed } from '../places.ts'
import type { AuthWorld } from '../world.ts'
import { Blocked, type Expectation } from '../../../../engine/index.ts'
import { codes, own } from './granting.ts'

export const worksNoMore: Expectation<HttpExchange> = {
  name: 'works no more',
  expected: 'a status of the 400s',
  test: ({ status = 0 }) => status >= 400 && status < 500,
}

/** Blocks the check where a token that was just given does not work: that it does not later proves nothing then. */
export async function works({ use, served }: AuthWorld, token: string): Promise<void> {
  const refused = (await use(token)).find((exchange) => !isServed(exchange))
  if (refused !== undefined) throw new Blocked(served, refused.summary)
}

/** What becomes of a code that is this old. Another one of the same client works at once. */
export async function aged(
  world: AuthWorld,
  name: string,
  seconds: number,
  judge: (came: HttpExchange) => void,
): Promise<void> {
  const { last, ahead, exchange, sendOrBlock, send } = world
  const client = await own(world, name)
  await last(async () => {
    const [old, fresh] = [
      (await codes(world, client, 1))[0]!,
      (await codes(world, await own(world, `${name} beside`), 1))[0]!,
    ]
    await sendOrBlock(await exchange(fresh))
    const request = await exchange(old)
    judge(await ahead(seconds, () => send(request)))
  })
}

/** What a revoked token gets when it has had time to spread: a server may need some (RFC 7009 §2), or keep for a while what it once looked up. */
export async function usedUp(
  { use, clock, signal }: AuthWorld,
  token: string,
): Promise<HttpExchange[]> {
  for (let seconds = 0; ; seconds += 1) {
    const answers = await use(token)
    if (seconds === spreading || !answers.some(isServed)) return answers
    await clock.sleep(1000, signal)
  }
}

/** Seconds. */
const spreading = 5
