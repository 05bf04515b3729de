import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import {
  fault,
  onReply,
  pathOf,
  replaceRules,
  withChoices,
  type MakeAuthDeviation,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { peek } from '../open-messages.ts'
import { tokenReply, withErrorCode, onTokenRefusal } from './token-replies.ts'

const extendCodeLifetime = (minutes: number): MakeAuthDeviation =>
  replaceRules({
    oauth: { isCodeValid: (code, now) => defaultRules.isCodeValid(code, now - minutes * 60_000) },
  })

/** Accepts used codes, and counts each repetition as a hit. */
const acceptUsedCodes: MakeAuthDeviation = (hit) => {
  const used = new Set<string>()
  return {
    rules: { oauth: { codesAreSingleUse: false } },
    changeReply(endpoint, reply, { parameters }) {
      const code = parameters?.get('code') ?? ''
      if (endpoint === 'token' && reply.status === 200 && code !== '') {
        if (used.has(code)) hit()
        used.add(code)
      }
      return reply
    },
  }
}

/** Revokes the access token of a repeated code, but not the refresh token. */
const revokeOnlyAccessToken: MakeAuthDeviation = (hit) => {
  const revoked = new Set<string>()
  return {
    choices: { oauth: { usedCodes: 'are refused' } },
    rules: {
      oauth: {
        isTokenValid: (one, now) =>
          defaultRules.isTokenValid(one, now) &&
          !(
            revoked.has(one.clientId) &&
            one.expiresAt - one.issuedAt <= defaultRules.accessSeconds * 1000
          ),
      },
    },
    changeReply(endpoint, reply, { parameters }) {
      if (endpoint === 'token' && reply.reason === 'code-used') {
        hit()
        revoked.add(parameters?.get('client_id') ?? '')
      }
      return reply
    },
  }
}

/** Responds to a repeated code with the response to its first use. */
const repeatFirstReply: MakeAuthDeviation = (hit) => {
  const first = new Map<string, ReturnType<typeof tokenReply>>()
  return onReply((reply, { parameters }, endpoint) => {
    const code = parameters?.get('code')
    if (endpoint !== 'token' || code === undefined) return undefined
    if (reply.status === 200) first.set(code, reply)
    return reply.reason === 'code-used' ? first.get(code) : undefined
  })(hit)
}

/**
 * Responds to a repeated code with the first response, if both requests were sent together. The
 * first request waits up to 300 ms for the second, so that both overlap even on a busy machine.
 */
const answerBoth: MakeAuthDeviation = (hit) => {
  const waiting = new Map<string, () => void>()
  const together = new Set<string>()
  const { changeReply } = repeatFirstReply(hit)
  return {
    intercept(request, _response, next) {
      if (pathOf(request) !== '/token') return next()
      peek(request, (body) => {
        const code = new URLSearchParams(body).get('code')
        if (code === null) return next()
        const resume = waiting.get(code)
        if (resume !== undefined) {
          together.add(code)
          resume()
          return next()
        }
        const goOn = () => {
          clearTimeout(timer)
          waiting.delete(code)
          next()
        }
        const timer = setTimeout(goOn, 300)
        waiting.set(code, goOn)
      })
    },
    changeReply: (endpoint, reply, request) => {
      const isFirst = reply.reason !== 'code-used'
      return isFirst || together.has(request.parameters?.get('code') ?? '')
        ? changeReply!(endpoint, reply, request)
        : reply
    },
  }
}

/** Faults in which used or expired codes are accepted, or codes are refused wrongly. */
export const codeLifetime: readonly AuthFault[] = [
  fault(
    'codes-work-repeatedly',
    'Accepts a code any number of times.',
    ['AUTH-TOKEN-10'],
    acceptUsedCodes,
  ),
  fault(
    'used-code-returns-the-same-tokens',
    'Responds to a repeated code with the response to its first use.',
    ['AUTH-TOKEN-10'],
    repeatFirstReply,
  ),
  fault(
    'simultaneous-exchanges-both-succeed',
    'Accepts a code in two requests that are sent together.',
    ['AUTH-TOKEN-10'],
    answerBoth,
  ),
  fault(
    'used-code-is-a-conflict',
    'Returns 409 for a used code.',
    ['AUTH-TOKEN-10', 'AUTH-TOKEN-17'],
    onTokenRefusal(['code-used'], withErrorCode('invalid_grant', 409)),
  ),
  fault(
    'used-code-revokes-nothing',
    'Does not revoke the tokens of a repeated code.',
    ['AUTH-TOKEN-11'],
    withChoices(
      { oauth: { usedCodes: 'are refused' } },
      onTokenRefusal(['code-used'], (reply) => ({ ...reply })),
    ),
  ),
  fault(
    'used-code-leaves-the-refresh-token',
    'Revokes the access token of a repeated code, but not the refresh token.',
    ['AUTH-TOKEN-11'],
    revokeOnlyAccessToken,
  ),
  fault(
    'codes-never-expire',
    'Accepts codes of any age.',
    ['AUTH-TOKEN-12', 'AUTH-TOKEN-13'],
    replaceRules({ oauth: { isCodeValid: () => true } }),
  ),
  fault(
    'codes-live-for-two-hours',
    'Accepts codes for two hours after their expiry.',
    ['AUTH-TOKEN-12', 'AUTH-TOKEN-13'],
    extendCodeLifetime(120),
  ),
  fault(
    'codes-live-for-half-an-hour',
    'Accepts codes for half an hour after their expiry.',
    ['AUTH-TOKEN-13'],
    extendCodeLifetime(30),
  ),
  fault(
    'old-code-as-invalid-request',
    'Reports an expired code as invalid_request.',
    ['AUTH-TOKEN-12'],
    onTokenRefusal(['code-expired'], withErrorCode('invalid_request')),
  ),
  fault(
    'old-code-is-gone',
    'Returns 410 for an expired code.',
    ['AUTH-TOKEN-12', 'AUTH-TOKEN-13', 'AUTH-TOKEN-17'],
    onTokenRefusal(['code-expired'], withErrorCode('invalid_grant', 410)),
  ),
]
