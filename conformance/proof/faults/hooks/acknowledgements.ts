import { defaultRules } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault } from './building.ts'

const { isAcknowledgement } = defaultRules

/** Faults in which the service does not accept every acknowledgement of a receiver. */
export const acknowledgements: readonly HooksFault[] = [
  fault(
    'only-200-acknowledges',
    'Sends a delivery again after every response except 200.',
    ['EVT-FAILURE-08'],
    (hit) => ({
      choices: { retries: 1 },
      rules: {
        retryDelayMs: 5,
        isAcknowledgement: (status) => {
          if (status !== 200 && isAcknowledgement(status)) hit()
          return status === 200
        },
      },
    }),
  ),
  fault(
    'no-content-does-not-acknowledge',
    'Sends a delivery again after a 204 response.',
    ['EVT-FAILURE-08'],
    (hit) => ({
      choices: { retries: 1 },
      rules: {
        retryDelayMs: 5,
        isAcknowledgement: (status) => {
          if (status === 204) hit()
          return status !== 204 && isAcknowledgement(status)
        },
      },
    }),
  ),
]
