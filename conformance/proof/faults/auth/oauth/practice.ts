import { fault, withChoices } from '../building.ts'
import type { AuthFault } from '../fault.ts'

/** Faults that violate recommended practice. */
export const practice: readonly AuthFault[] = [
  fault(
    'attempts-without-a-limit',
    'Does not limit the number of token requests.',
    ['AUTH-PRACTICE-02'],
    withChoices({ hosting: { attempts: 60 } }, (hit) => ({
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
    'limit-for-pages-only',
    'Limits requests for pages, but not for /token.',
    ['AUTH-PRACTICE-02'],
    withChoices({ hosting: { attempts: 60, pattern: 'oauth-provider' } }, (hit) => ({
      rules: { oauth: { requestsPerMinute: Infinity } },
      changeReply(endpoint, reply) {
        if (endpoint === 'token') hit()
        return reply
      },
    })),
  ),
]
