/** The four patterns of authentication of a tool server. */
export const patterns = ['none', 'jwt', 'oauth-proxy', 'oauth-provider'] as const
export type Pattern = (typeof patterns)[number]

/** The one of the bundled tool server: that of which most can be judged, its endpoints and what it sends to an identity provider. */
export const bundledPattern: Pattern = 'oauth-proxy'
