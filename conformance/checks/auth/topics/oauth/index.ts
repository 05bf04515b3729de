import { authorizationChecks } from './authorization.ts'
import { authorizationErrorsChecks } from './authorization-errors.ts'
import { authorizationForeignClientsChecks } from './authorization-foreign-clients.ts'
import { authorizationRequestsChecks } from './authorization-requests.ts'
import { authorizationOpenChecks } from './authorization-open.ts'
import { consentChecks } from './consent.ts'
import { consentPagesChecks } from './consent-pages.ts'
import { endpointsChecks } from './endpoints.ts'
import { flowChecks } from './flow.ts'
import { introspectionChecks } from './introspection.ts'
import { forgedFormsChecks } from './forged-forms.ts'
import { metadataChecks } from './metadata.ts'
import { practiceChecks } from './practice.ts'
import { providerChecks } from './provider.ts'
import { proxyChecks } from './proxy.ts'
import { proxyReturnChecks } from './proxy-return.ts'
import { proxyUserChecks } from './proxy-user.ts'
import { refreshChecks } from './refresh.ts'
import { registrationChecks } from './registration.ts'
import { registrationRefusalsChecks } from './registration-refusals.ts'
import { resourceChecks } from './resource.ts'
import { resourceIndicatorsChecks } from './resource-indicators.ts'
import { revocationChecks } from './revocation.ts'
import { tokenChecks } from './token.ts'
import { requestParametersChecks } from './request-parameters.ts'
import { tokenExpiryChecks } from './token-expiry.ts'
import { tokenGrantsChecks } from './token-grants.ts'
import { tokenRefusalsChecks } from './token-refusals.ts'
import { tokenScopesChecks } from './token-scopes.ts'

/** Checks of the patterns `oauth-proxy` and `oauth-provider`. */
export const oauthChecks = [
  ...endpointsChecks,
  ...registrationChecks,
  ...registrationRefusalsChecks,
  ...authorizationChecks,
  ...authorizationRequestsChecks,
  ...authorizationForeignClientsChecks,
  ...authorizationErrorsChecks,
  ...authorizationOpenChecks,
  ...requestParametersChecks,
  ...consentChecks,
  ...forgedFormsChecks,
  ...consentPagesChecks,
  ...tokenChecks,
  ...tokenRefusalsChecks,
  ...tokenGrantsChecks,
  ...tokenScopesChecks,
  ...tokenExpiryChecks,
  ...refreshChecks,
  ...resourceChecks,
  ...resourceIndicatorsChecks,
  ...metadataChecks,
  ...proxyChecks,
  ...proxyReturnChecks,
  ...proxyUserChecks,
  ...providerChecks,
  ...introspectionChecks,
  ...revocationChecks,
  ...practiceChecks,
  ...flowChecks,
]
