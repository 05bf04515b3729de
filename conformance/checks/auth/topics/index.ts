import { jwtChecks } from './jwt/index.ts'
import { noneChecks } from './none.ts'
import { oauthChecks } from './oauth/index.ts'

export const checks = [...noneChecks, ...jwtChecks, ...oauthChecks]
