import { jwtChecks } from './jwt/index.ts'
import { none } from './none.ts'
import { oauthChecks } from './oauth/index.ts'

/** Every check of how a tool server knows who comes. */
export const authentication = [...none, ...jwtChecks, ...oauthChecks]
