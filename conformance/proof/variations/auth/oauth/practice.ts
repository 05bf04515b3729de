import type { AuthFactor } from '../variation.ts'

/** Choices about recommended practice. */
export const practice: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-PRACTICE-02',
    name: 'limit of attempts',
    values: [
      { name: 'undeclared', description: 'Does not declare the limit of attempts.' },
      // The limit must be above the number of requests that a run sends in a minute.
      {
        name: 'declared',
        description: 'Declares a limit of a thousand requests per minute.',
        choices: { hosting: { attempts: 1000 } },
        deviation: { rules: { oauth: { requestsPerMinute: 1000 } } },
        notCombined: true,
      },
    ],
  },
]
