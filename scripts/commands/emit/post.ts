import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { headersOf } from '../../../mocks/deliveries/headers.ts'
import { newAgents, send, type DeliveryResult } from '../../../mocks/deliveries/send.ts'
import type { Plan, Step } from './plan.ts'

export interface Posting {
  url: string
  token?: string | undefined
  insecure: boolean
  timeoutMs: number
  /** At most so many in a second. */
  rate?: number | undefined
  /** Calls off what is under way, and all that would follow. */
  signal: AbortSignal
}

/** How many may be under way at once: few for a receiver that is to be loaded, more where a rate has to be kept in spite of slow answers. */
const atOnce = { free: 8, paced: 64 }

/** Sends everything, and tells of each answer as it comes. What belongs together is sent in its order, each when the one before it was answered. */
export async function post(
  plan: Plan,
  posting: Posting,
  tell: (step: Step, sent: DeliveryResult) => void,
): Promise<void> {
  const { signal, rate } = posting
  const agents = newAgents()
  setMaxListeners(0, signal)
  const steps = ordered(plan)
  const began = performance.now()
  let started = 0
  const work = async () => {
    for (const { step, round } of steps) {
      if (rate !== undefined) {
        const due = began + (started++ * 1000) / rate
        await sleep(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => {})
      }
      if (signal.aborted) return
      const { event } = step
      const delivery = {
        url: posting.url,
        headers: headersOf({ event, token: posting.token }),
        body: plan.body(step, round),
        rejectUnauthorized: !posting.insecure,
      }
      const sent = await send(delivery, { agents, timeoutMs: posting.timeoutMs, signal })
      if (sent.failure?.reason !== 'aborted') tell(step, sent)
    }
  }
  const inOrder = plan.times === 1 || plan.steps.some(({ says }) => says !== undefined)
  const together = inOrder ? 1 : rate === undefined ? atOnce.free : atOnce.paced
  try {
    await Promise.all(
      Array.from({ length: Math.min(together, plan.times * plan.steps.length) }, work),
    )
  } finally {
    agents.destroy()
  }
}

/** All that is to be sent, made one by one: several workers share it. */
function* ordered({ steps, times }: Plan): Generator<{ step: Step; round: number }> {
  for (let round = 0; round < times; round += 1) for (const step of steps) yield { step, round }
}
