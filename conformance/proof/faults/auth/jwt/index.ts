import type { AuthFault } from '../fault.ts'
import { algorithms, keys } from './algorithms.ts'
import { claims } from './claims.ts'
import { forms } from './forms.ts'
import { unverifiedRequests } from './unverified-requests.ts'
import { refusals } from './refusals.ts'
import { refusalsAtOneEndpoint } from './one-endpoint.ts'
import { schemes } from './schemes.ts'
import { serving } from './serving.ts'
import { signatures } from './signatures.ts'
import { users } from './users.ts'

/** Every handwritten fault of JWT. */
export const faults: readonly AuthFault[] = [
  ...serving,
  ...refusals,
  ...refusalsAtOneEndpoint,
  ...schemes,
  ...signatures,
  ...algorithms,
  ...keys,
  ...claims,
  ...forms,
  ...unverifiedRequests,
  ...users,
]
