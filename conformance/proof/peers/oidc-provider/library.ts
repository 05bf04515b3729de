import type * as OidcProvider from 'oidc-provider'
import { withoutWarning } from '../without-warning.ts'

let loading: Promise<typeof OidcProvider> | undefined

/**
 * Loads the package oidc-provider. Suppresses its warning about versions of Node.js before 22,
 * because the package works with them too.
 */
export function loadLibrary(): Promise<typeof OidcProvider> {
  return (loading ??= withoutWarning(
    /^oidc-provider WARNING: Unsupported runtime/,
    () => import('oidc-provider'),
  ))
}
