import type { HooksFactor } from './variation.ts'

/** What a sender makes of receivers that acknowledge nothing. */
export const failures: readonly HooksFactor[] = [
  {
    requirement: 'EVT-FAILURE-02',
    name: 'a hook that failed',
    levels: [
      { name: 'kept', description: 'Sends on, whatever a receiver answers.' },
      {
        name: 'given up',
        description: 'Gives a hook up after one failure.',
        choices: { disabledAfter: 1 },
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-03',
    name: 'the patience of the sender',
    levels: [
      { name: 'ten seconds', description: 'Waits ten seconds for an answer.' },
      {
        name: 'less',
        description: 'Waits for a second only.',
        deviation: { rules: { deliveryTimeoutMs: 1000 } },
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-04',
    name: 'deliveries that failed',
    levels: [
      { name: 'given up', description: 'Tries once.' },
      {
        name: 'tried again',
        description: 'Tries once more.',
        choices: { retries: 1 },
        deviation: { rules: { retryDelayMs: 2 } },
      },
      {
        name: 'insisted on',
        description: 'Tries three times more.',
        choices: { retries: 3 },
        deviation: { rules: { retryDelayMs: 2 } },
      },
    ],
  },
]
