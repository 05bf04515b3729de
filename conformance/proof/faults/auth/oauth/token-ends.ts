import { defaultRules as right } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, hosted, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { granted, named, refusalsAs } from './answers.ts'

const minutes = (count: number): MakeAuthDeviation =>
  replaceRules({
    oauth: { isCodeValid: (code, now) => right.isCodeValid(code, now - count * 60_000) },
  })

/** Tells of each code that is taken again. */
const takenAgain: MakeAuthDeviation = (hit) => {
  const taken = new Set<string>()
  return {
    rules: { oauth: { codesWorkOnce: false } },
    changeReply(endpoint, reply, { parameters }) {
      const code = parameters?.get('code') ?? ''
      if (endpoint === 'token' && reply.status === 200 && code !== '') {
        if (taken.has(code)) hit()
        taken.add(code)
      }
      return reply
    },
  }
}

/** Ends the access token of a code that comes again, and nothing else. */
const leavesRefresh: MakeAuthDeviation = (hit) => {
  const stolen = new Set<string>()
  return {
    choices: { oauth: { usedCodes: 'are refused' } },
    rules: {
      oauth: {
        isTokenValid: (one, now) =>
          right.isTokenValid(one, now) &&
          !(stolen.has(one.clientId) && one.expiresAt - one.issuedAt <= right.accessSeconds * 1000),
      },
    },
    changeReply(endpoint, reply, { parameters }) {
      if (endpoint === 'token' && reply.reason === 'code-used') {
        hit()
        stolen.add(parameters?.get('client_id') ?? '')
      }
      return reply
    },
  }
}

/** Answers a code that comes again as it did the first time. */
const sameAgain: MakeAuthDeviation = (hit) => {
  const first = new Map<string, ReturnType<typeof granted>>()
  return onReply((reply, { parameters }, endpoint) => {
    const code = parameters?.get('code')
    if (endpoint !== 'token' || code === undefined) return undefined
    if (reply.status === 200) first.set(code, reply)
    return reply.reason === 'code-used' ? first.get(code) : undefined
  })(hit)
}

/** Codes that work for too long, or too often. */
export const tokenEnds: readonly AuthFault[] = [
  fault('codes-work-on', 'Takes a code as often as it comes.', ['AUTH-TOKEN-10'], takenAgain),
  fault(
    'used-code-gives-the-same-again',
    'Answers a code that comes again as it did the first time.',
    ['AUTH-TOKEN-10'],
    sameAgain,
  ),
  fault(
    'used-code-is-a-conflict',
    'Refuses a code that has been used with status 409.',
    ['AUTH-TOKEN-10', 'AUTH-TOKEN-17'],
    refusalsAs(['code-used'], named('invalid_grant', 409)),
  ),
  fault(
    'used-code-ends-nothing',
    'Leaves the tokens of a code that comes again.',
    ['AUTH-TOKEN-11'],
    hosted(
      { oauth: { usedCodes: 'are refused' } },
      refusalsAs(['code-used'], (reply) => ({ ...reply })),
    ),
  ),
  fault(
    'used-code-leaves-the-refresh-token',
    'Ends the access token of a code that comes again, and leaves the refresh token.',
    ['AUTH-TOKEN-11'],
    leavesRefresh,
  ),
  fault(
    'codes-never-end',
    'Takes a code however old it is.',
    ['AUTH-TOKEN-12', 'AUTH-TOKEN-13'],
    replaceRules({ oauth: { isCodeValid: () => true } }),
  ),
  fault(
    'codes-live-for-two-hours',
    'Takes a code that is up to two hours old.',
    ['AUTH-TOKEN-12', 'AUTH-TOKEN-13'],
    minutes(120),
  ),
  fault(
    'codes-live-for-half-an-hour',
    'Takes a code that is up to half an hour old.',
    ['AUTH-TOKEN-13'],
    minutes(30),
  ),
  fault(
    'old-code-as-invalid-request',
    'Calls an old code an invalid request.',
    ['AUTH-TOKEN-12'],
    refusalsAs(['code-expired'], named('invalid_request')),
  ),
  fault(
    'old-code-is-gone',
    'Refuses an old code with status 410.',
    ['AUTH-TOKEN-12', 'AUTH-TOKEN-13', 'AUTH-TOKEN-17'],
    refusalsAs(['code-expired'], named('invalid_grant', 410)),
  ),
]
