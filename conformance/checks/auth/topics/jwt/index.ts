import { forgedTokens } from './forged-tokens.ts'
import { open } from './open.ts'
import { endpoints } from './endpoints.ts'
import { refusals } from './refusals.ts'
import { service } from './service.ts'

/** Pattern 2: the server verifies JSON Web Tokens. */
export const jwtChecks = [...service, ...refusals, ...forgedTokens, ...endpoints, ...open]
