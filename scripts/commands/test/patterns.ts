import { patterns, type Pattern } from '../../../conformance/checks/tools/authentication.ts'

export { patterns, type Pattern }

/** The one of the bundled tool server: that of which most can be judged, its endpoints and what it sends to an identity provider. */
export const bundledPattern: Pattern = 'oauth-proxy'
