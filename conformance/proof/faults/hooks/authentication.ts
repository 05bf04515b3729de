import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  defaultRules,
  failure,
  type HooksCall,
  type HooksOperation,
} from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onRequest } from './building.ts'

type Accepts = (sent: string | undefined, token: string) => boolean

/** Accepts calls that should be refused. */
function acceptRefused(
  name: string,
  description: string,
  violates: readonly RequirementId[],
  operation: HooksOperation,
  accepts: Accepts,
): HooksFault {
  return fault(
    name,
    description,
    violates,
    onRequest((call, next, hit) => {
      const sent = call.headers['private-token']
      const { token } = call.server.options
      if (!defaultRules.acceptsToken(sent, token) && accepts(sent, token)) {
        hit()
        call.authorize = () => undefined
      }
      return next()
    }, operation),
  )
}

/** Ways to accept an invalid token. */
const invalidTokens: readonly {
  name: string
  description: string
  accepts: Accepts
  absent?: true
}[] = [
  {
    name: 'ignores-the-token',
    description: 'Accepts any token or none',
    accepts: () => true,
    absent: true,
  },
  {
    name: 'needs-no-token',
    description: 'Accepts requests without a token, but no wrong token,',
    accepts: (sent) => sent === undefined,
    absent: true,
  },
  {
    name: 'accepts-any-token',
    description: 'Accepts any token that is not empty',
    accepts: (sent) => sent !== undefined && sent !== '',
  },
  {
    name: 'does-not-compare-the-end',
    description: 'Ignores the last character of a token',
    accepts: (sent, token) =>
      sent?.length === token.length && sent.slice(0, -1) === token.slice(0, -1),
  },
  {
    name: 'does-not-compare-the-beginning',
    description: 'Ignores the first character of a token',
    accepts: (sent, token) => sent?.slice(1) === token.slice(1),
  },
  {
    name: 'accepts-a-token-without-its-end',
    description: 'Accepts a valid token without its last character',
    accepts: (sent, token) => sent === token.slice(0, -1),
  },
  {
    name: 'accepts-the-beginning-of-the-token',
    description: 'Accepts a prefix of a valid token',
    accepts: (sent = '', token) => sent !== '' && token.startsWith(sent),
  },
  {
    name: 'accepts-more-than-the-token',
    description: 'Accepts a valid token followed by other characters',
    accepts: (sent, token) => sent?.startsWith(token) === true,
  },
  {
    name: 'ignores-the-case-of-the-token',
    description: 'Ignores the case of a token',
    accepts: (sent, token) => sent?.toLowerCase() === token.toLowerCase(),
  },
]

/** Accepts creations in the other project without a token. */
const acceptElsewhere = fault(
  'other-projects-need-no-token',
  'Accepts a creation in another project without an access token.',
  ['HOOK-AUTH-02'],
  onRequest((call, next, hit) => {
    const { otherProject } = call.server.options
    if (call.params['id'] === otherProject && call.headers['private-token'] === undefined) {
      hit()
      call.authorize = () => undefined
    }
    return next()
  }, 'createHook'),
)

const calls: readonly {
  where: HooksOperation
  operationName: string
  call: string
  absent: RequirementId
  wrong: RequirementId
}[] = [
  {
    where: 'createHook',
    operationName: 'create-hook',
    call: 'a creation',
    absent: 'HOOK-AUTH-02',
    wrong: 'HOOK-AUTH-03',
  },
  {
    where: 'testHook',
    operationName: 'test-hook',
    call: 'a test call',
    absent: 'HOOK-AUTH-04',
    wrong: 'HOOK-AUTH-05',
  },
]

/** Refuses test calls that must be refused, but sends their deliveries. */
const deliverRefused = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  isSelected: (sent: string | undefined) => boolean,
): HooksFault =>
  fault(
    name,
    description,
    violates,
    onRequest(async (call, next, hit) => {
      const sent = call.headers['private-token']
      if (defaultRules.acceptsToken(sent, call.server.options.token) || !isSelected(sent))
        return next()
      hit()
      call.authorize = () => undefined
      await next()
      return failure(call.server.choices, 401, 'The access token is missing or not valid')
    }, 'testHook'),
  )

/** Refuses creations with a valid token. */
const refuseValid = (
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
      if (!defaultRules.acceptsToken(headers['private-token'], server.options.token) || !when(call))
        return next()
      hit()
      return Promise.resolve(
        failure(server.choices, status, 'The access token is missing or not valid'),
      )
    }, 'createHook'),
  )

/** The name of the token's header as the client wrote it; an empty string if it is missing. */
const sentHeaderName = ({ request }: HooksCall): string =>
  request.rawHeaders.find((name, at) => at % 2 === 0 && name.toLowerCase() === 'private-token') ??
  ''

export const authentication: readonly HooksFault[] = [
  acceptElsewhere,
  ...calls.flatMap(({ where: operation, operationName, call, absent, wrong }) =>
    invalidTokens.map(({ name, description, accepts, absent: acceptsAbsent }) =>
      acceptRefused(
        `${operationName}-${name}`,
        `${description} for ${call}.`,
        name === 'needs-no-token' ? [absent] : acceptsAbsent ? [absent, wrong] : [wrong],
        operation,
        accepts,
      ),
    ),
  ),
  acceptRefused(
    'create-hook-accepts-an-empty-token',
    'Accepts an empty token for a creation.',
    ['HOOK-AUTH-03'],
    'createHook',
    (sent) => sent === '',
  ),

  deliverRefused(
    'test-call-without-a-token-delivers',
    'Refuses a test call without a token, but sends a delivery.',
    ['HOOK-AUTH-04'],
    (sent) => sent === undefined,
  ),
  deliverRefused(
    'test-call-with-a-wrong-token-delivers',
    'Refuses a test call with a wrong token, but sends a delivery.',
    ['HOOK-AUTH-05'],
    (sent) => sent !== undefined,
  ),

  refuseValid(
    'valid-token-is-not-known',
    'Returns 401 for a creation with a valid token.',
    ['HOOK-AUTH-01'],
    401,
  ),
  refuseValid(
    'valid-token-has-no-rights',
    'Returns 403 for a creation with a valid token.',
    ['HOOK-AUTH-01'],
    403,
  ),
  refuseValid(
    'header-of-the-token-has-one-spelling',
    'Accepts the header PRIVATE-TOKEN only in upper case.',
    ['HOOK-AUTH-06'],
    401,
    (call) => sentHeaderName(call) !== 'PRIVATE-TOKEN',
  ),
  refuseValid(
    'header-of-the-token-mixes-no-cases',
    'Accepts the header PRIVATE-TOKEN only entirely in upper case or entirely in lower case.',
    ['HOOK-AUTH-06'],
    401,
    (call) => !['PRIVATE-TOKEN', 'private-token'].includes(sentHeaderName(call)),
  ),
]
