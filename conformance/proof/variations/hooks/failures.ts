import type { HooksFactor } from './variation.ts'

/** What a sender makes of receivers that acknowledge nothing. */
export const failures: readonly HooksFactor[] = [
  {
    row: 'EVT-FAILURE-02',
    factor: 'a hook that failed',
    levels: [
      { name: 'kept', says: 'Sends on, whatever a receiver answers.' },
      {
        name: 'given up',
        says: 'Gives a hook up after one failure.',
        choices: { disabledAfter: 1 },
      },
    ],
  },
  {
    row: 'EVT-FAILURE-03',
    factor: 'the patience of the sender',
    levels: [
      { name: 'ten seconds', says: 'Waits ten seconds for an answer.' },
      {
        name: 'less',
        says: 'Waits for a second only.',
        deviation: { rules: { deliveryTimeoutMs: 1000 } },
      },
    ],
  },
  {
    row: 'EVT-FAILURE-04',
    factor: 'deliveries that failed',
    levels: [
      { name: 'given up', says: 'Tries once.' },
      {
        name: 'tried again',
        says: 'Tries once more.',
        choices: { retries: 1 },
        deviation: { rules: { retryDelayMs: 2 } },
      },
      {
        name: 'insisted on',
        says: 'Tries three times more.',
        choices: { retries: 3 },
        deviation: { rules: { retryDelayMs: 2 } },
      },
    ],
  },
]
