import type { AuthFactor } from '../variation.ts'

/** Freedoms of what is recommended. */
export const practice: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-PRACTICE-02',
    name: 'limit of attempts',
    levels: [
      { name: 'untold', description: 'How many attempts are too many is not told.' },
      // Not below what a run sends in a minute by itself.
      {
        name: 'told',
        description: 'A thousand requests in a minute are enough, and so it is told.',
        choices: { hosting: { attempts: 1000 } },
        deviation: { rules: { oauth: { requestsPerMinute: 1000 } } },
        notCombined: true,
      },
    ],
  },
]
