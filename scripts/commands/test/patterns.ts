import { patterns, type Pattern } from '../../../conformance/checks/tools/authentication.ts'

export { patterns, type Pattern }

/** The pattern of the bundled tool server: the one with the most requirements. */
export const bundledPattern: Pattern = 'oauth-proxy'
