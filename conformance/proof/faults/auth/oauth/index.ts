import { afterMistakes } from './after-mistake.ts'
import { authorization } from './authorization.ts'
import { authorizationRequests } from './authorization-requests.ts'
import { consent } from './consent.ts'
import { endpoints } from './endpoints.ts'
import { flow } from './flow.ts'
import { grantTokens } from './grant-tokens.ts'
import { introspectionFields } from './introspection-fields.ts'
import { metadata } from './metadata.ts'
import { mixedPages } from './mixed-pages.ts'
import { practice } from './practice.ts'
import { otherClients } from './other-clients.ts'
import { provider } from './provider.ts'
import { proxy } from './proxy.ts'
import { proxyReturn } from './proxy-return.ts'
import { proxyUser } from './proxy-user.ts'
import { refresh } from './refresh.ts'
import { registration } from './registration.ts'
import { registrationMetadata } from './registration-metadata.ts'
import { atOneEndpoint } from './one-endpoint.ts'
import { resource } from './resource.ts'
import { token } from './token.ts'
import { codeLifetime } from './code-lifetime.ts'
import { refreshUse } from './refresh-use.ts'
import { requestParameters } from './request-parameters.ts'
import { tokenStatus } from './token-status.ts'
import { tokenValues } from './token-values.ts'
import { tokenRefusals } from './token-refusals.ts'
import { asProxy } from '../building.ts'
import type { AuthFault } from '../fault.ts'

/** Only proxies have an identity provider upstream. */
const proxyFaults = [...proxy, ...proxyReturn, ...proxyUser].map((fault): AuthFault => ({
  ...fault,
  make: asProxy(fault.make),
}))

/**
 * Every handwritten fault of OAuth. Faults that do not need a proxy run in a server with its own
 * users, which starts faster than a proxy with an identity provider.
 */
export const faults: readonly AuthFault[] = [
  ...endpoints,
  ...registration,
  ...registrationMetadata,
  ...authorization,
  ...authorizationRequests,
  ...requestParameters,
  ...consent,
  ...token,
  ...tokenRefusals,
  ...tokenValues,
  ...codeLifetime,
  ...refresh,
  ...refreshUse,
  ...resource,
  ...atOneEndpoint,
  ...metadata,
  ...proxyFaults,
  ...provider,
  ...tokenStatus,
  ...otherClients,
  ...grantTokens,
  ...introspectionFields,
  ...afterMistakes,
  ...mixedPages,
  ...practice,
  ...flow,
]
