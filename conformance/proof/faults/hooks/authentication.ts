import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  defaultRules,
  failure,
  type HooksCall,
  type HooksOperation,
} from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onRequest } from './building.ts'

type Lets = (given: string | undefined, own: string) => boolean

/** Serves calls that should be refused. */
function lettingIn(
  name: string,
  description: string,
  violates: readonly RequirementId[],
  where: HooksOperation,
  lets: Lets,
): HooksFault {
  return fault(
    name,
    description,
    violates,
    onRequest((call, next, hit) => {
      const given = call.headers['private-token']
      const { token } = call.server.options
      if (!defaultRules.grants(given, token) && lets(given, token)) {
        hit()
        call.authorize = () => undefined
      }
      return next()
    }, where),
  )
}

/** The ways in which a wrong token can pass for the right one. */
const careless: readonly { name: string; description: string; lets: Lets; absent?: true }[] = [
  {
    name: 'ignores-the-token',
    description: 'works for everybody, with a token or without one',
    lets: () => true,
    absent: true,
  },
  {
    name: 'needs-no-token',
    description: 'works without a token, though not with a wrong one',
    lets: (given) => given === undefined,
    absent: true,
  },
  {
    name: 'takes-any-token',
    description: 'works with any token, though not without one',
    lets: (given) => given !== undefined && given !== '',
  },
  {
    name: 'does-not-compare-the-end',
    description: 'looks at all but the last character of a token',
    lets: (given, own) => given?.length === own.length && given.slice(0, -1) === own.slice(0, -1),
  },
  {
    name: 'takes-the-beginning-of-the-token',
    description: 'takes the beginning of a valid token for the whole',
    lets: (given = '', own) => given !== '' && own.startsWith(given),
  },
  {
    name: 'takes-more-than-the-token',
    description: 'takes whatever begins with a valid token',
    lets: (given, own) => given?.startsWith(own) === true,
  },
]

const calls: readonly {
  where: HooksOperation
  called: string
  words: string
  absent: RequirementId
  wrong: RequirementId
}[] = [
  {
    where: 'createHook',
    called: 'create-hook',
    words: 'A creation',
    absent: 'HOOK-AUTH-02',
    wrong: 'HOOK-AUTH-03',
  },
  {
    where: 'testHook',
    called: 'test-hook',
    words: 'A test call',
    absent: 'HOOK-AUTH-04',
    wrong: 'HOOK-AUTH-05',
  },
]

/** Refuses test calls that should be refused, and delivers all the same. */
const delivering = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  concerns: (given: string | undefined) => boolean,
): HooksFault =>
  fault(
    name,
    description,
    violates,
    onRequest(async (call, next, hit) => {
      const given = call.headers['private-token']
      if (defaultRules.grants(given, call.server.options.token) || !concerns(given)) return next()
      hit()
      call.authorize = () => undefined
      await next()
      return failure(call.server.choices, 401, 'The access token is missing or not valid')
    }, 'testHook'),
  )

/** Refuses creations that are in order. */
const turningAway = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  status: number,
  when: (call: HooksCall) => boolean = () => true,
): HooksFault =>
  fault(
    name,
    description,
    violates,
    onRequest((call, next, hit) => {
      const { server, headers } = call
      if (!defaultRules.grants(headers['private-token'], server.options.token) || !when(call))
        return next()
      hit()
      return Promise.resolve(
        failure(server.choices, status, 'The access token is missing or not valid'),
      )
    }, 'createHook'),
  )

/** The header of the token as its sender wrote the name. */
const written = ({ request }: HooksCall): string =>
  request.rawHeaders.find((name, at) => at % 2 === 0 && name.toLowerCase() === 'private-token') ??
  ''

export const authentication: readonly HooksFault[] = [
  ...calls.flatMap(({ where, called, words, absent, wrong }) =>
    careless.map(({ name, description, lets, absent: concerns }) =>
      lettingIn(
        `${called}-${name}`,
        `${words} ${description}.`,
        name === 'needs-no-token' ? [absent] : concerns ? [absent, wrong] : [wrong],
        where,
        lets,
      ),
    ),
  ),
  lettingIn(
    'create-hook-takes-an-empty-token',
    'A creation takes an empty token for a valid one.',
    ['HOOK-AUTH-03'],
    'createHook',
    (given) => given === '',
  ),

  delivering(
    'test-call-without-a-token-delivers-in-secret',
    'Refuses a test call without a token, and delivers all the same.',
    ['HOOK-AUTH-04'],
    (given) => given === undefined,
  ),
  delivering(
    'test-call-with-a-wrong-token-delivers-in-secret',
    'Refuses a test call with a wrong token, and delivers all the same.',
    ['HOOK-AUTH-05'],
    (given) => given !== undefined,
  ),

  turningAway(
    'valid-token-is-not-known',
    'Refuses every creation as if its token were not valid.',
    ['HOOK-AUTH-01'],
    401,
  ),
  turningAway(
    'valid-token-has-no-rights',
    'Refuses every creation as if its token had no right to it.',
    ['HOOK-AUTH-01'],
    403,
  ),
  turningAway(
    'header-of-the-token-has-one-spelling',
    'Knows PRIVATE-TOKEN in capitals only.',
    ['HOOK-AUTH-06'],
    401,
    (call) => written(call) !== 'PRIVATE-TOKEN',
  ),
  turningAway(
    'header-of-the-token-mixes-no-cases',
    'Knows PRIVATE-TOKEN in capitals and in small letters only.',
    ['HOOK-AUTH-06'],
    401,
    (call) => !['PRIVATE-TOKEN', 'private-token'].includes(written(call)),
  ),
]
