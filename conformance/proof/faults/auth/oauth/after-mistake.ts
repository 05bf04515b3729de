import { asProvider, fault, onReply, type MakeAuthDeviation } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { clientRedirectOf, withLocation, withParameter } from './building.ts'
import { tokenReply } from './token-replies.ts'

type Change = Parameters<typeof onReply>[0]

/**
 * Changes replies, depending on whether the user has entered a wrong password on the page before.
 * `codes` contains the codes of such users.
 */
const afterMistake = (
  change: (
    reply: Parameters<Change>[0],
    request: Parameters<Change>[1],
    codes: ReadonlySet<string | undefined>,
  ) => ReturnType<Change>,
): MakeAuthDeviation =>
  asProvider((hit) => {
    const pages = new Set<string>()
    const codes = new Set<string | undefined>()
    return onReply((reply, request) => {
      const page = request.parameters?.get('request')
      if (page !== undefined && reply.status === 403) pages.add(page)
      const code = clientRedirectOf(reply)?.searchParams.get('code')
      if (code && page !== undefined && pages.has(page)) codes.add(code)
      return change(reply, request, codes)
    })(hit)
  })

/** Faults in which a server forgets the request of a user who has entered a wrong password. */
export const afterMistakes: readonly AuthFault[] = [
  fault(
    'wrong-password-loses-the-state',
    'Returns no state if the user has entered a wrong password before.',
    ['AUTH-AUTHORIZE-02'],
    afterMistake((reply, _request, codes) => {
      const url = clientRedirectOf(reply)
      return url !== undefined && codes.has(url.searchParams.get('code') ?? undefined)
        ? withLocation(reply, withParameter(url, 'state', undefined))
        : undefined
    }),
  ),
  fault(
    'wrong-password-loses-the-challenge',
    'Verifies no code_verifier if the user has entered a wrong password before.',
    ['AUTH-TOKEN-04'],
    afterMistake((reply, { parameters }, codes) =>
      reply.reason === 'verifier-mismatch' && codes.has(parameters?.get('code'))
        ? tokenReply(reply)
        : undefined,
    ),
  ),
]
