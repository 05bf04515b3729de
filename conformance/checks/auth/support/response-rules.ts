import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { ResponseRules } from '../../shared/http-world.ts'
import type { Pattern } from '../../tools/authentication.ts'

/** For each pattern, the requirement that callers with valid credentials are served. */
export const accessRequirements = {
  none: 'AUTH-NONE-01',
  jwt: 'AUTH-JWT-01',
  'oauth-proxy': 'AUTH-RESOURCE-01',
  'oauth-provider': 'AUTH-RESOURCE-01',
} as const satisfies Record<Pattern, RequirementId>

const roots: Readonly<Record<string, RequirementId>> = {
  register: 'AUTH-REGISTER-01',
  authorize: 'AUTH-AUTHORIZE-01',
  token: 'AUTH-TOKEN-01',
  refresh: 'AUTH-REFRESH-01',
  introspect: 'AUTH-PROVIDER-04',
  revoke: 'AUTH-PROVIDER-05',
}

const isSuccess = ({ status = 0 }: HttpExchange): boolean => status >= 200 && status < 300

/** How the checks interpret responses. `rootOf` returns the requirement that an endpoint works. */
export function responseRulesOf(pattern: Pattern): ResponseRules {
  return {
    succeeded: { name: 'succeeds', expected: 'a 2xx status', test: isSuccess },
    isSuccess,
    rootOf: (operation) => roots[operation] ?? accessRequirements[pattern],
  }
}
