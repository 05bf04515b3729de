import { forgedTokensChecks } from './forged-tokens.ts'
import { openChecks } from './open.ts'
import { endpointsChecks } from './endpoints.ts'
import { refusalsChecks } from './refusals.ts'
import { serviceChecks } from './service.ts'
import { usersChecks } from './users.ts'

/** Checks of the pattern `jwt`: the server verifies JSON Web Tokens. */
export const jwtChecks = [
  ...serviceChecks,
  ...refusalsChecks,
  ...forgedTokensChecks,
  ...endpointsChecks,
  ...usersChecks,
  ...openChecks,
]
