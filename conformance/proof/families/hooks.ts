import { faults, mutants } from '../faults/hooks/index.ts'
import { startHooks, targetOf, type HooksChoices } from '../../../mocks/stateful/hooks.ts'
import { exclusions, factors } from '../variations/hooks/index.ts'
import { serverTimers } from '../clock.ts'
import { defineFamily } from '../family.ts'
import { operationOf } from '../doors.ts'

/** Services with the hook API that send deliveries. */
export const hooks = defineFamily({
  name: 'hooks',
  faults,
  mutants,
  factors,
  exclusions,
  doorOf: operationOf,
  async start(deviation, choices: Partial<HooksChoices>) {
    const server = await startHooks({
      timers: serverTimers,
      ...deviation,
      choices: { ...choices, ...deviation.choices },
    })
    return { target: targetOf(server), close: () => server.close() }
  },
  completeTarget: (origin) => ({
    hooks: {
      url: `${origin}/api/v4`,
      project: '42',
      token: 'a-token',
      testEvents: ['push_events', 'tag_push_events', 'issues_events', 'job_events'],
      state: true,
    },
  }),
})
