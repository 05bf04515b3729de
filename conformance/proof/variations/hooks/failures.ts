import type { HooksFactor } from './variation.ts'

/** Choices about what a sender does if a receiver does not acknowledge a delivery. */
export const failures: readonly HooksFactor[] = [
  {
    requirement: 'EVT-FAILURE-02',
    name: 'a hook after a failed delivery',
    values: [
      { name: 'kept', description: 'Continues to send deliveries, whatever a receiver returns.' },
      {
        name: 'disabled',
        description: 'Disables a hook after one failure.',
        choices: { disabledAfter: 1 },
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-03',
    name: 'timeout of the sender',
    values: [
      { name: 'ten seconds', description: 'Waits ten seconds for a response.' },
      {
        name: 'one second',
        description: 'Waits one second for a response.',
        deviation: { rules: { deliveryTimeoutMs: 1000 } },
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-04',
    name: 'failed deliveries',
    values: [
      { name: 'not repeated', description: 'Sends a delivery only once, even if it fails.' },
      {
        name: 'repeated once',
        description: 'Sends a failed delivery once more.',
        choices: { retries: 1 },
        deviation: { rules: { retryDelayMs: 2 } },
      },
      {
        name: 'repeated three times',
        description: 'Sends a failed delivery up to three more times.',
        choices: { retries: 3 },
        deviation: { rules: { retryDelayMs: 2 } },
      },
    ],
  },
]
