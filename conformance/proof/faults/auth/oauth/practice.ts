import { fault, hosted } from '../building.ts'
import type { AuthFault } from '../fault.ts'

/** Faults of what is recommended. */
export const practice: readonly AuthFault[] = [
  fault(
    'attempts-without-a-limit',
    'Codes can be tried at /token as often as one likes.',
    ['AUTH-PRACTICE-02'],
    hosted({ hosting: { attempts: 60 } }, (hit) => ({
      rules: {
        oauth: {
          get requestsPerMinute() {
            hit()
            return Infinity
          },
        },
      },
    })),
  ),
  fault(
    'limit-for-users-only',
    'Pages for users have a limit; endpoints for programs have none.',
    ['AUTH-PRACTICE-02'],
    hosted({ hosting: { attempts: 60, pattern: 'oauth-provider' } }, (hit) => ({
      rules: { oauth: { requestsPerMinute: Infinity } },
      changeReply(endpoint, reply) {
        if (endpoint === 'token') hit()
        return reply
      },
    })),
  ),
]
