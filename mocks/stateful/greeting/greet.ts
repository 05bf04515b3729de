import { setTimeout as sleep } from 'node:timers/promises'
import type { GreetingCall, Ending } from './call.ts'
import { newUnusualRequestPolicy } from './unusual-requests.ts'
import { newPairing, type RequestGroup } from './pairing.ts'

/** Greets every name of a stream, until the caller has sent its last request. */
export async function greet(call: GreetingCall): Promise<Ending> {
  const {
    server: {
      choices,
      rules,
      now,
      options: { delayMs },
    },
  } = call
  const pairing = newPairing(choices, rules.maxHeldRequests)
  const decide = newUnusualRequestPolicy(call.server)
  let requests = 0

  const respond = (group: RequestGroup) =>
    call.send({
      message: rules.formatMessage(group, choices),
      server_timestamp: rules.formatTimestamp(now(), choices),
    })
  const respondToAll = async (groups: readonly RequestGroup[]) => {
    for (const group of groups) {
      if (delayMs !== undefined) await sleep(delayMs())
      await respond(group)
    }
  }

  if (choices.headers === 'at once') call.sendHeaders()
  if (pairing.opening !== undefined) await respondToAll(pairing.opening)
  for await (const request of call.requests) {
    requests += 1
    const decision = decide(request)
    if (decision === 'skip') continue
    if (decision !== undefined) return decision
    const groups = pairing.accept(request)
    // Does not await in the usual case of one response and no backpressure, because that is faster.
    if (groups.length === 1 && delayMs === undefined) {
      const drained = respond(groups[0]!)
      if (drained !== undefined) await drained
    } else await respondToAll(groups)
  }
  await respondToAll(pairing.flush())
  return requests === 0 && choices.noRequests === 'refuse'
    ? { code: choices.refusalStatus, details: 'the stream has no requests' }
    : { code: 0 }
}
