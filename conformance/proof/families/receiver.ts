import { faults } from '../faults/receiver/index.ts'
import { startReceiver, targetOf, type ReceiverChoices } from '../../../mocks/stateful/receiver.ts'
import { exclusions, factors, withoutLevels } from '../variations/receiver/index.ts'
import { family } from '../family.ts'

/** Programs that take deliveries. */
export const receiver = family({
  name: 'receiver',
  faults,
  mutants: [],
  factors,
  exclusions,
  withoutLevels,
  async start(deviation, choices: Partial<ReceiverChoices>) {
    const server = await startReceiver({
      ...deviation,
      choices: { ...choices, ...deviation.choices },
    })
    return { target: targetOf(server), close: () => server.close() }
  },
  nullTarget: (origin) => ({
    receiver: {
      url: `${origin}/hook`,
      secret: 'a-secret',
      events: ['push', 'issue', 'pipeline'],
      onMismatch: 'refuse',
    },
  }),
})
