import type * as OidcProvider from 'oidc-provider'

let loading: Promise<typeof OidcProvider> | undefined

/** npm's oidc-provider. As it is loaded it warns of every Node.js before 22; it works on 20.19 too, and nobody here needs to hear of it. */
export function loadLibrary(): Promise<typeof OidcProvider> {
  return (loading ??= quietly(
    /^oidc-provider WARNING: Unsupported runtime/,
    () => import('oidc-provider'),
  ))
}

async function quietly<T>(noise: RegExp, work: () => Promise<T>): Promise<T> {
  const { console } = globalThis
  const { warn } = console
  console.warn = (...said: unknown[]) => {
    if (!noise.test(String(said[0]))) warn.apply(console, said)
  }
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}
