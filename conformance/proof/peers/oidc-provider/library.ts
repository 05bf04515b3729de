import type * as OidcProvider from 'oidc-provider'

let loading: Promise<typeof OidcProvider> | undefined

/**
 * Loads the package oidc-provider without its warning about Node.js before 22, with which it works
 * too.
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
