import type { AuthFactor } from '../variation.ts'

/** Freedoms of what is recommended. */
export const practice: readonly AuthFactor[] = [
  {
    row: 'AUTH-PRACTICE-02',
    factor: 'limit of attempts',
    levels: [
      { name: 'untold', says: 'How many attempts are too many is not told.' },
      // Not below what a run sends in a minute by itself.
      {
        name: 'told',
        says: 'A thousand requests in a minute are enough, and so it is told.',
        choices: { hosting: { attempts: 1000 } },
        deviation: { rules: { oauth: { requestsPerMinute: 1000 } } },
        alone: true,
      },
    ],
  },
]
