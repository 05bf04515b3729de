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

/** All factors of OAuth. */
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

/** Pairs of values that are not combined. */
export const exclusions: readonly Exclusion[] = [
  {
    values: ['secrets in the Authorization header: refused', 'metadata of the server: missing'],
    reason: 'a client that registered for the header cannot find out that it must not use it',
  },
  {
    values: ['PKCE upstream: not used', 'state upstream: none'],
    reason: 'PKCE or a state must bind a callback to its request',
  },
]
