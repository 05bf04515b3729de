import { expect, test } from 'vitest'
import { describeUnsetVariables } from './unset-variables.ts'

const commands = [
  'npx touchstone test --only IMG --images-limited-token "$IMAGES_LIMITED_TOKEN"',
  'curl -H "Authorization: Bearer ${IMAGES_TOKEN}" http://127.0.0.1',
]
const secrets = { IMAGES_TOKEN: 'one', IMAGES_LIMITED_TOKEN: 'two', HOOKS_TOKEN: 'three' }
const both = { IMAGES_TOKEN: 'one', IMAGES_LIMITED_TOKEN: 'two' }

test.each<[string, Record<string, string>, string | undefined]>([
  ['all are set', both, undefined],
  ['one is not set', { IMAGES_TOKEN: 'one' }, 'IMAGES_LIMITED_TOKEN=…'],
  ['one has another value', { ...both, IMAGES_TOKEN: 'old' }, 'IMAGES_TOKEN=…'],
  ['none is set', {}, 'IMAGES_TOKEN=… IMAGES_LIMITED_TOKEN=…'],
])('names the variables that the commands read: %s', (_, environment, exported) => {
  const line = describeUnsetVariables(commands, secrets, environment)
  if (exported === undefined) expect(line).toBeUndefined()
  else expect(line).toMatch(new RegExp(`: export ${exported}$`))
})
