import { authorization } from './authorization.ts'
import { consent } from './consent.ts'
import { flow } from './flow.ts'
import { metadata } from './metadata.ts'
import { practice } from './practice.ts'
import { provider } from './provider.ts'
import { proxy } from './proxy.ts'
import { proxyReturn } from './proxy-return.ts'
import { proxyUser } from './proxy-user.ts'
import { refresh } from './refresh.ts'
import { registration } from './registration.ts'
import { resource } from './resource.ts'
import { token } from './token.ts'
import { tokenEnds } from './token-ends.ts'
import { tokenRefusals } from './token-refusals.ts'
import type { Fault } from '../fault.ts'

/** Every written fault of patterns 3 and 4. */
export const faults: readonly Fault[] = [...registration, ...authorization, ...consent, ...token, ...tokenRefusals, ...tokenEnds, ...refresh, ...resource, ...metadata, ...proxy, ...proxyReturn, ...proxyUser, ...provider, ...practice, ...flow]
