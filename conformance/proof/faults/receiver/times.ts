import { setTimeout as sleep } from 'node:timers/promises'
import { exampleOf } from '../../../../generated/events/examples.ts'
import { events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { speed } from '../../variations/speed.ts'
import { contentOf } from './examples.ts'
import type { ReceiverFault } from './fault.ts'
import { fault, toHyphens, onDelivery, toWords, valuesAt } from './building.ts'

/** Milliseconds of one sleep. */
const sleepMs = 10
/** The number of sleeps in eleven seconds of the proof's clock. */
const sleeps = 11_000 / speed / sleepMs

/**
 * Sleeps for eleven seconds of the proof's clock. Uses many short sleeps, because this clock does
 * not count the delay that a busy machine adds to each sleep.
 */
async function work(): Promise<void> {
  for (let done = 0; done < sleeps; done += 1) await sleep(sleepMs)
}

/**
 * Works before it responds. Does so only for deliveries with the content of one sample payload, to
 * keep the proof fast.
 */
function respondLate(event: EventName, example?: string): ReceiverFault {
  const { name, payload } = exampleOf(event, example)!
  const content = contentOf(payload)
  return fault(
    `some-deliveries-of-${toHyphens(event)}-take-eleven-seconds`,
    `Takes eleven seconds to respond to ${toWords(event)} deliveries with the content of the example ${name}.`,
    ['EVT-RECEIVER-16'],
    onDelivery(() => async (delivery) => {
      if (delivery.event !== events[event].header || contentOf(delivery.payload) !== content)
        return undefined
      await work()
      return 200
    }),
  )
}

/** Works before it responds to an event that has a long list. */
const respondLateToLists = (event: EventName, path: readonly string[]): ReceiverFault =>
  fault(
    `long-deliveries-of-${toHyphens(event)}-take-eleven-seconds`,
    `Takes eleven seconds to respond to ${toWords(event)} deliveries with more than ten ${path.at(-1)}.`,
    ['EVT-RECEIVER-16'],
    onDelivery(() => async (delivery) => {
      const [list] = valuesAt(delivery.payload, path)
      if (delivery.event !== events[event].header || !Array.isArray(list) || list.length <= 10)
        return undefined
      await work()
      return 200
    }),
  )

export const times: readonly ReceiverFault[] = [
  respondLateToLists('pipeline', ['builds']),
  respondLateToLists('push', ['commits']),
  respondLateToLists('release', ['assets', 'links']),
  respondLate('issue'),
  respondLate('deployment'),
  respondLate('release'),
  respondLate('merge_request', 'merge'),
]
