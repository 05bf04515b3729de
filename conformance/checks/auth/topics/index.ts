import { jwtChecks } from './jwt/index.ts'
import { none } from './none.ts'
import { oauthChecks } from './oauth/index.ts'

export const checks = [...none, ...jwtChecks, ...oauthChecks]
