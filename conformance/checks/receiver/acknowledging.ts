import { eventNames, events } from '../../../generated/events/contract.ts'
import { expectation, playing } from '../../engine/index.ts'
import type { HttpExchange } from '../../wire/index.ts'
import { acknowledging, type ReceiverWorld } from './world.ts'

/** Milliseconds within which a receiver should answer. */
const recommended = 10_000

const inTime = expectation<HttpExchange>(
  'is answered in time',
  `an answer within ${recommended / 1000} s`,
  ({ status, milliseconds }) => status !== undefined && milliseconds < recommended,
  ({ status, milliseconds, summary }) => (status === undefined ? summary : `${status} after ${milliseconds / 1000} s`),
)

export const acknowledgement = [
  ...eventNames.map((event) => {
    const { title } = events[event]
    return playing<ReceiverWorld>(acknowledging[event], {
      title: `acknowledges each kind of ${title.toLowerCase()}`,
      async play({ goldens, succeedEach, discerning }) {
        await succeedEach(goldens(event))
        await discerning()
      },
    })
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-16', {
    title: 'answers within ten seconds',
    async play({ access, delivery, send, expect, discerning }) {
      const answers = await Promise.all(access.events.map(async (event) => ({ event, exchange: await send(delivery(event)) })))
      for (const { event, exchange } of answers) expect(exchange, { ...inTime, name: `${event}: ${inTime.name}` })
      await discerning()
    },
  }),
]
