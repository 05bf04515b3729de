import { eventNames, events } from '../../../../generated/events/contract.ts'
import { type Expectation, actingCheck } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { listLongPayloads } from '../support/ordinary-values.ts'
import { acknowledgementRequirements, type ReceiverWorld } from '../support/world.ts'

/** Milliseconds within which a receiver should respond. */
const recommendedMs = 10_000

/** The check sends no further samples after their responses took this many milliseconds. */
const maxTotalMs = 60_000

const inTime: Expectation<HttpExchange> = {
  name: 'responds in time',
  expected: `every response within ${recommendedMs / 1000} s`,
  test: ({ status, milliseconds }) => status !== undefined && milliseconds < recommendedMs,
  received: ({ status, milliseconds, summary }) =>
    status === undefined
      ? summary
      : `the slowest response: status ${status} after ${milliseconds / 1000} s`,
}

export const acknowledgementChecks = [
  ...eventNames.map((event) => {
    const { title } = events[event]
    return actingCheck<ReceiverWorld>(acknowledgementRequirements[event], {
      title: `acknowledges each sample of ${/^[aeiou]/i.test(title) ? 'an' : 'a'} ${title.toLowerCase()} event`,
      async run({ sampleDeliveries, expectEachSuccess, requireTokenCheck, requireValidSecret }) {
        await requireValidSecret(event)
        const samples = Object.entries(sampleDeliveries(event))
        await expectEachSuccess(
          Object.fromEntries(samples.map(([name, delivery]) => [`the sample ${name}`, delivery])),
        )
        await requireTokenCheck()
      },
    })
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-16', {
    title: 'responds within ten seconds',
    async run({
      target,
      requireAcknowledging,
      sampleDeliveries,
      buildDelivery,
      makeUnique,
      send,
      blockIfOperationBroken,
      expect,
      requireTokenCheck,
      waitForStage,
    }) {
      await requireAcknowledging()
      // Sends one delivery after the other, while no other check sends. Otherwise a receiver that
      // processes one delivery at a time would seem slow.
      await waitForStage('stable-reads')
      const responses: HttpExchange[] = []
      const samples = [
        ...target.events.flatMap((event) => Object.values(sampleDeliveries(event))),
        ...listLongPayloads(target.events, { makeUnique }).map(({ event, body }) =>
          buildDelivery(event, { body }),
        ),
      ]
      let totalMs = 0
      for (const delivery of samples) {
        const response = await blockIfOperationBroken(await send(delivery))
        responses.push(response)
        totalMs += response.milliseconds
        if (!inTime.test(response) || totalMs > maxTotalMs) break
      }
      expect(
        responses.reduce((slowest, response) =>
          response.milliseconds > slowest.milliseconds ? response : slowest,
        ),
        inTime,
      )
      await requireTokenCheck()
    },
  }),
]
