import { patterns, type Pattern } from '../../../conformance/checks/tools/authentication.ts'

export { patterns, type Pattern }

/**
 * The pattern of authentication of the bundled tool server: the pattern with the most requirements.
 */
export const bundledPattern: Pattern = 'oauth-proxy'
