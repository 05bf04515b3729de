import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { newAgents, send, type DeliveryResult } from '../../../mocks/deliveries/send.ts'
import type { Plan, Step } from './plan.ts'

export interface PostingOptions {
  url: string
  token?: string | undefined
  insecure: boolean
  timeoutMs: number
  /** The largest number of deliveries per second. */
  rate?: number | undefined
  /** Whether saved deliveries keep the intervals at which they were received. */
  keepsPace?: boolean
  /** Cancels the pending deliveries and all later ones. */
  signal: AbortSignal
}

/**
 * How many deliveries can be pending at the same time, unless each delivery waits for the response
 * to the previous one. With `rate` or `keepsPace`, the higher limit `paced` applies, so that slow
 * responses do not delay later deliveries.
 */
const maxPending = { unpaced: 8, paced: 64 }

/** The longest delay of a timer in Node.js, in milliseconds: almost 25 days. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Sends all deliveries, and reports each result to `onResult`. A delivery waits for the response to
 * the previous one in each of these cases: the deliveries are a story, they were saved, or each
 * step is sent only once (`plan.times` is 1). `keepsPace` is the exception: a delivery is then sent
 * after the previous delivery, but does not wait for the response.
 */
export async function post(
  plan: Plan,
  options: PostingOptions,
  onResult: (step: Step, sent: DeliveryResult) => void,
): Promise<void> {
  const { signal, rate } = options
  const agents = newAgents()
  setMaxListeners(0, signal)
  const due = dueTimes(plan, options)
  const steps = due === undefined ? deliveriesOf(plan) : pacedDeliveries(plan, due, signal)
  const work = async () => {
    for await (const { step, round } of steps) {
      if (signal.aborted) return
      const delivery = {
        url: options.url,
        ...plan.request(step, round, options.token),
        rejectUnauthorized: !options.insecure,
      }
      const sent = await send(delivery, { agents, timeoutMs: options.timeoutMs, signal })
      if (sent.failure?.reason !== 'aborted') onResult(step, sent)
    }
  }
  const isOrdered = plan.times === 1 || plan.isOrdered
  const workers =
    options.keepsPace === true
      ? maxPending.paced
      : isOrdered
        ? 1
        : rate === undefined
          ? maxPending.unpaced
          : maxPending.paced
  try {
    await Promise.all(
      Array.from({ length: Math.min(workers, plan.times * plan.steps.length) }, work),
    )
  } finally {
    agents.destroy()
  }
}

/** Yields every delivery once. The workers share the generator. */
function* deliveriesOf({ steps, times }: Plan): Generator<{ step: Step; round: number }> {
  for (let round = 0; round < times; round += 1) for (const step of steps) yield { step, round }
}

type DueTime = (step: Step, index: number) => number

/**
 * Returns a function that calculates the time at which a delivery is due, in milliseconds after the
 * first one. Returns undefined if each delivery is sent as soon as possible.
 */
function dueTimes({ steps }: Plan, { rate, keepsPace }: PostingOptions): DueTime | undefined {
  if (rate !== undefined) return (_, index) => (index * 1000) / rate
  if (keepsPace !== true) return undefined
  const first = steps[0]!.receivedAt!
  return ({ receivedAt }) => receivedAt! - first
}

/**
 * Waits until a delivery is due, and then yields it. The workers share the generator, and receive
 * the deliveries in order.
 */
async function* pacedDeliveries(
  plan: Plan,
  due: DueTime,
  signal: AbortSignal,
): AsyncGenerator<{ step: Step; round: number }> {
  const began = performance.now()
  let index = 0
  for (const delivery of deliveriesOf(plan)) {
    const wait = began + due(delivery.step, index) - performance.now()
    index += 1
    await sleep(Math.min(maxTimerMs, Math.max(0, wait)), undefined, { signal }).catch(() => {})
    yield delivery
  }
}
