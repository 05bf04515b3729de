import { setTimeout as sleep } from 'node:timers/promises'
import type { GreetingCall, Ending } from './call.ts'
import { newOdd } from './odd.ts'
import { newPairing, type RequestGroup } from './pairing.ts'

/** Greets whom a stream names, until its caller has sent the last request. */
export async function greet(call: GreetingCall): Promise<Ending> {
  const {
    server: {
      choices,
      rules,
      options: { delayMs },
    },
  } = call
  const pairing = newPairing(choices, rules.keptRequests)
  const odd = newOdd(call.server)
  let requests = 0

  const answer = (group: RequestGroup) =>
    call.send({
      message: rules.message(group, choices),
      server_timestamp: rules.timestamp(Date.now(), choices),
    })
  const answerAll = async (groups: readonly RequestGroup[]) => {
    for (const group of groups) {
      if (delayMs > 0) await sleep(delayMs)
      await answer(group)
    }
  }

  if (choices.headers === 'at once') call.begin()
  if (pairing.opening !== undefined) await answerAll(pairing.opening)
  for await (const request of call.requests) {
    requests += 1
    const found = odd(request)
    if (found === 'skip') continue
    if (found !== undefined) return found
    const groups = pairing.take(request)
    // Most requests get one response, for which there is room: no need to wait.
    if (groups.length === 1 && delayMs === 0) {
      const full = answer(groups[0]!)
      if (full !== undefined) await full
    } else await answerAll(groups)
  }
  await answerAll(pairing.rest())
  return requests === 0 && choices.noRequests === 'refuse'
    ? { code: choices.refusalStatus, details: 'there was no request' }
    : { code: 0 }
}
