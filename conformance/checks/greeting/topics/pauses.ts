import { check } from '../support/define.ts'
import { endsOk } from '../support/expectations.ts'
import { requireWithinLimits } from '../support/stream.ts'

export const pausesChecks = [
  check('GRT-NAME-01', {
    title: 'greets names that are sent after a pause',
    door: 'a stream with pauses',
    async run({ pausedStreams, expectEveryName, requireNames, waitForStage }) {
      await requireNames()
      await waitForStage('final')
      const { long, names } = await pausedStreams()
      await expectEveryName(long, names)
    },
  }),

  check('GRT-GRPC-12', {
    title: 'ends a stream with OK if the client half-closes it after a pause',
    async run({ pausedStreams, expect, blockIfOperationBroken, waitForStage }) {
      await waitForStage('final')
      const { idle } = await pausedStreams()
      requireWithinLimits(idle)
      expect(await blockIfOperationBroken(idle), endsOk)
    },
  }),
]
