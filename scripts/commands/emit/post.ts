import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { headersOf } from '../../../mocks/deliveries/headers.ts'
import { newAgents, send, type DeliveryResult } from '../../../mocks/deliveries/send.ts'
import type { Plan, Step } from './plan.ts'

export interface PostingOptions {
  url: string
  token?: string | undefined
  insecure: boolean
  timeoutMs: number
  /** The largest number of deliveries per second. */
  rate?: number | undefined
  /** Cancels the pending deliveries and all later ones. */
  signal: AbortSignal
}

/**
 * How many deliveries can be pending at the same time. With a rate (`paced`) more can be, so that
 * slow responses do not lower the rate.
 */
const maxPending = { unlimited: 8, paced: 64 }

/**
 * Sends everything, and reports each result to `onResult`. A story or a single round is sent in
 * order: each delivery follows the response to the previous one.
 */
export async function post(
  plan: Plan,
  options: PostingOptions,
  onResult: (step: Step, sent: DeliveryResult) => void,
): Promise<void> {
  const { signal, rate } = options
  const agents = newAgents()
  setMaxListeners(0, signal)
  const steps = deliveriesOf(plan)
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
        url: options.url,
        headers: headersOf({ event, token: options.token }),
        body: plan.body(step, round),
        rejectUnauthorized: !options.insecure,
      }
      const sent = await send(delivery, { agents, timeoutMs: options.timeoutMs, signal })
      if (sent.failure?.reason !== 'aborted') onResult(step, sent)
    }
  }
  const isOrdered = plan.times === 1 || plan.steps.some(({ caption }) => caption !== undefined)
  const workers = isOrdered ? 1 : rate === undefined ? maxPending.unlimited : maxPending.paced
  try {
    await Promise.all(
      Array.from({ length: Math.min(workers, plan.times * plan.steps.length) }, work),
    )
  } finally {
    agents.destroy()
  }
}

/** Yields every delivery once. Several workers share the generator. */
function* deliveriesOf({ steps, times }: Plan): Generator<{ step: Step; round: number }> {
  for (let round = 0; round < times; round += 1) for (const step of steps) yield { step, round }
}
