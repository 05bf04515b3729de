import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import type { Exclusion } from '../../variation.ts'
import type { AuthFactor } from '../variation.ts'
import { authorization } from './authorization.ts'
import { consent } from './consent.ts'
import { flow } from './flow.ts'
import { metadata } from './metadata.ts'
import { practice } from './practice.ts'
import { provider } from './provider.ts'
import { proxy } from './proxy.ts'
import { refresh } from './refresh.ts'
import { registration } from './registration.ts'
import { resource } from './resource.ts'
import { token } from './token.ts'

/** All freedoms of patterns 3 and 4. */
export const factors: readonly AuthFactor[] = [
  ...registration,
  ...authorization,
  ...consent,
  ...token,
  ...refresh,
  ...resource,
  ...metadata,
  ...proxy,
  ...provider,
  ...practice,
  ...flow,
]

/** Pairs of levels that are not tried together. */
export const exclusions: readonly Exclusion[] = [
  {
    levels: ['who registers clients: whoever runs the server', 'former grants: end'],
    reason:
      'there is one client for all that is tried at the same time, and what one try is allowed ends what another holds',
  },
  {
    levels: ['secrets in the Authorization header: not taken', 'metadata of the server: missing'],
    reason: 'a client that registered for the header is told nowhere that it may not use it',
  },
  {
    levels: ['PKCE upstream: not used', 'state upstream: none'],
    reason: 'one of the two has to bind a return to its question',
  },
]

/** Open rows that have no levels, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {}
