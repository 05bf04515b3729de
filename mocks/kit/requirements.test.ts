import { describe, expect, it } from 'vitest'
import { requirements as catalogue } from '../../generated/requirements/index.ts'
import * as greeting from '../stateful/greeting/rules.ts'
import * as hooks from '../stateful/hooks/rules.ts'
import * as images from '../stateful/images/rules.ts'
import * as oauth from '../stateful/oauth/rules.ts'
import * as receiver from '../stateful/receiver/rules.ts'
import * as jwt from '../stateful/tools/auth/jwt/rules.ts'
import * as tools from '../stateful/tools/rules.ts'
import type { RuleRequirements } from './requirements.ts'

const mocks: Record<string, { rules: object; requirements: RuleRequirements<object> }> = {
  images: { rules: images.defaultRules, requirements: images.ruleRequirements },
  hooks: { rules: hooks.defaultRules, requirements: hooks.ruleRequirements },
  receiver: { rules: receiver.defaultRules, requirements: receiver.ruleRequirements },
  greeting: { rules: greeting.defaultRules, requirements: greeting.ruleRequirements },
  tools: { rules: tools.defaultRules, requirements: tools.ruleRequirements },
  jwt: { rules: jwt.defaultJwtRules, requirements: jwt.jwtRuleRequirements },
  oauth: { rules: oauth.defaultRules, requirements: oauth.ruleRequirements },
}

describe.each(Object.entries(mocks))('the rules of %s', (_, { rules, requirements }) => {
  it('name the requirements that they implement, or say why there are none', () => {
    expect(Object.keys(requirements).sort()).toEqual(Object.keys(rules).sort())
    for (const named of Object.values<readonly string[] | { none: string }>(requirements))
      if ('none' in named) expect(named.none).not.toBe('')
      else expect(named.filter((id) => !(id in catalogue))).toEqual([])
  })
})
