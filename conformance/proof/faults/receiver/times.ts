import { setTimeout as sleep } from 'node:timers/promises'
import { exampleOf } from '../../../../generated/events/examples.ts'
import { events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { told } from './examples.ts'
import type { ReceiverFault } from './fault.ts'
import { fault, hyphens, onDelivery, words } from './building.ts'

/** Milliseconds of one piece of work, and how many make eleven seconds by the proof's clock, which runs twenty times as fast as the wall's. */
const piece = 10
const pieces = 11_000 / 20 / piece

/** Takes eleven seconds, piece by piece: the proof's clock does not count what a busy machine adds to one of them. */
async function work(): Promise<void> {
  for (let done = 0; done < pieces; done += 1) await sleep(piece)
}

/** Works before it answers. Not on every delivery: the proof has other things to do than to wait. */
function working(event: EventName): ReceiverFault {
  const { name, payload } = exampleOf(event)!
  const own = told(payload)
  return fault(
    `some-deliveries-of-${hyphens(event)}-take-eleven-seconds`,
    `Works for eleven seconds on a ${words(event)} delivery like the example ${name}, and answers then.`,
    ['EVT-RECEIVER-16'],
    onDelivery(() => async (delivery) => {
      if (delivery.event !== events[event].header || told(delivery.payload) !== own)
        return undefined
      await work()
      return 200
    }),
  )
}

export const times: readonly ReceiverFault[] = [
  working('issue'),
  working('deployment'),
  working('release'),
]
