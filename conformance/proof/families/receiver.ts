import { faults } from '../faults/receiver/index.ts'
import { startReceiver, targetOf, type ReceiverChoices } from '../../../mocks/stateful/receiver.ts'
import { exclusions, factors, withoutVariations } from '../variations/receiver/index.ts'
import { defineFamily } from '../family.ts'

/** Programs that receive deliveries. */
export const receiver = defineFamily({
  name: 'receiver',
  faults,
  mutants: [],
  factors,
  exclusions,
  withoutVariations,
  async start(deviation, choices: Partial<ReceiverChoices>) {
    const server = await startReceiver({
      ...deviation,
      choices: { ...choices, ...deviation.choices },
    })
    return { target: targetOf(server), close: () => server.close() }
  },
  completeTarget: (origin) => ({
    receiver: {
      url: `${origin}/hook`,
      secret: 'a-secret',
      events: ['push', 'issue', 'pipeline'],
      onMismatch: 'refuse',
    },
  }),
})
