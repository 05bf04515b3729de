import { eventNames, events } from '../../../../generated/events/contract.ts'
import { type Expectation, actingCheck } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { acknowledging, type ReceiverWorld } from '../support/world.ts'

/** Milliseconds within which a receiver should answer. */
const recommended = 10_000

const inTime: Expectation<HttpExchange> = {
  name: 'the slowest is in time',
  expected: `an answer within ${recommended / 1000} s`,
  test: ({ status, milliseconds }) => status !== undefined && milliseconds < recommended,
  received: ({ status, milliseconds, summary }) =>
    status === undefined ? summary : `${status} after ${milliseconds / 1000} s`,
}

export const acknowledgement = [
  ...eventNames.map((event) => {
    const { title } = events[event]
    return actingCheck<ReceiverWorld>(acknowledging[event], {
      title: `acknowledges each kind of ${title.toLowerCase()}`,
      async run({ goldens, expectEachSuccess, discerning, admitted }) {
        await admitted(event)
        await expectEachSuccess(goldens(event))
        await discerning()
      },
    })
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-16', {
    title: 'answers within ten seconds',
    async run({
      access,
      takes,
      delivery,
      send,
      blockIfOperationBroken,
      expect,
      discerning,
      waitForStage: turn,
    }) {
      await takes()
      // One after the other, when nobody else sends: a receiver that takes one delivery at a time is not slow for that.
      await turn('stable-reads')
      const answers: HttpExchange[] = []
      for (const event of access.events)
        answers.push(await blockIfOperationBroken(await send(delivery(event))))
      expect(
        answers.reduce((slowest, answer) =>
          answer.milliseconds > slowest.milliseconds ? answer : slowest,
        ),
        inTime,
      )
      await discerning()
    },
  }),
]
