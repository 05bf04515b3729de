import { authorization } from './authorization.ts'
import { authorizationErrors } from './authorization-errors.ts'
import { foreignClients } from './authorization-foreign-clients.ts'
import { authorizationOpen } from './authorization-open.ts'
import { consent } from './consent.ts'
import { consentPages } from './consent-pages.ts'
import { endpoints } from './endpoints.ts'
import { wholeFlow } from './flow.ts'
import { forgedForms } from './forged-forms.ts'
import { metadata } from './metadata.ts'
import { practice } from './practice.ts'
import { provider } from './provider.ts'
import { proxy } from './proxy.ts'
import { proxyReturn } from './proxy-return.ts'
import { proxyUser } from './proxy-user.ts'
import { refresh } from './refresh.ts'
import { registration } from './registration.ts'
import { registrationRefusals } from './registration-refusals.ts'
import { resource } from './resource.ts'
import { status } from './status.ts'
import { token } from './token.ts'
import { tokenExpiry } from './token-expiry.ts'
import { tokenRefusals } from './token-refusals.ts'

/** Patterns 3 and 4. */
export const oauthChecks = [
  ...endpoints,
  ...registration,
  ...registrationRefusals,
  ...authorization,
  ...foreignClients,
  ...authorizationErrors,
  ...authorizationOpen,
  ...consent,
  ...forgedForms,
  ...consentPages,
  ...token,
  ...tokenRefusals,
  ...tokenExpiry,
  ...refresh,
  ...resource,
  ...metadata,
  ...proxy,
  ...proxyReturn,
  ...proxyUser,
  ...provider,
  ...status,
  ...practice,
  ...wholeFlow,
]
