import { authorization } from './authorization.ts'
import { consent } from './consent.ts'
import { endpoints } from './endpoints.ts'
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
import { hosted } from '../building.ts'
import type { AuthFault } from '../fault.ts'

/** The identity provider behind a server is an affair of proxies. */
const ofProxies = [...proxy, ...proxyReturn, ...proxyUser].map((fault): AuthFault => ({
  ...fault,
  make: hosted({ hosting: { pattern: 'oauth-proxy' } }, fault.make),
}))

/** Every written fault of patterns 3 and 4. All servers but those of proxies know their users themselves: they are started faster. */
export const faults: readonly AuthFault[] = [
  ...endpoints,
  ...registration,
  ...authorization,
  ...consent,
  ...token,
  ...tokenRefusals,
  ...tokenEnds,
  ...refresh,
  ...resource,
  ...metadata,
  ...ofProxies,
  ...provider,
  ...practice,
  ...flow,
]
