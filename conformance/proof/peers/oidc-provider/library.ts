import type * as OidcProvider from 'oidc-provider'

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

async function withoutWarning<T>(warning: RegExp, work: () => Promise<T>): Promise<T> {
  const { console } = globalThis
  const { warn } = console
  console.warn = (...args: unknown[]) => {
    if (!warning.test(String(args[0]))) warn.apply(console, args)
  }
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}
