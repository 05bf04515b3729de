import { setTimeout as pause } from 'node:timers/promises'
import type { UserStore } from '../../../../../mocks/stateful/oauth/users.ts'
import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { AuthFactor } from '../variation.ts'

const openAttempts = new WeakMap<UserStore, Map<string, number>>()

/** Locks a user after five attempts without success. Attempts in progress count as well. */
const lockUsers: AuthDeviation = {
  rules: {
    oauth: {
      async authenticateUser(login, password, users) {
        const attempts = openAttempts.get(users) ?? new Map<string, number>()
        openAttempts.set(users, attempts)
        const count = (attempts.get(login) ?? 0) + 1
        attempts.set(login, count)
        if (count > 5) return undefined
        await pause(20)
        const user = await users.authenticate(login, password)
        if (user !== undefined) attempts.set(login, 0)
        return user
      },
    },
  },
}

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
  {
    requirement: 'AUTH-PRACTICE-02',
    name: 'limit of sign-ins',
    values: [
      { name: 'none', description: 'Does not limit how often a user signs in.' },
      {
        name: 'locks users',
        description: 'Locks a user after five attempts without success.',
        deviation: lockUsers,
        notCombined: true,
      },
    ],
  },
]
