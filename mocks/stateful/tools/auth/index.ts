import type { Clock } from '../call.ts'
import { open, type Guard } from './guard.ts'
import { newJwtGuard, type JwtOptions } from './jwt/guard.ts'

/** Which of the four patterns a server has, and how. */
export type Auth = { pattern: 'none' } | JwtOptions

export function newGuard(auth: Auth, clock: Clock): Guard {
  switch (auth.pattern) {
    case 'none': return open
    case 'jwt': return newJwtGuard(auth, clock)
  }
}
