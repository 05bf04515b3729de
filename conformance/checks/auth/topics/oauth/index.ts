import { authorization } from './authorization.ts'
import { errors } from './authorization-errors.ts'
import { strangers } from './authorization-foreign-clients.ts'
import { silences } from './authorization-silences.ts'
import { consent } from './consent.ts'
import { pages } from './consent-pages.ts'
import { endpoints } from './endpoints.ts'
import { flow } from './flow.ts'
import { forged } from './forged-forms.ts'
import { metadata } from './metadata.ts'
import { practice } from './practice.ts'
import { provider } from './provider.ts'
import { proxy } from './proxy.ts'
import { proxyReturn } from './proxy-return.ts'
import { proxyUser } from './proxy-user.ts'
import { refresh } from './refresh.ts'
import { registration } from './registration.ts'
import { refusals } from './registration-refusals.ts'
import { resource } from './resource.ts'
import { status } from './status.ts'
import { token } from './token.ts'
import { tokenEnds } from './token-expiry.ts'
import { tokenRefusals } from './token-refusals.ts'

/** Checks of patterns 3 and 4. */
export const oauthChecks = [
  ...endpoints,
  ...registration,
  ...refusals,
  ...authorization,
  ...strangers,
  ...errors,
  ...silences,
  ...consent,
  ...forged,
  ...pages,
  ...token,
  ...tokenRefusals,
  ...tokenEnds,
  ...refresh,
  ...resource,
  ...metadata,
  ...proxy,
  ...proxyReturn,
  ...proxyUser,
  ...provider,
  ...status,
  ...practice,
  ...flow,
]
