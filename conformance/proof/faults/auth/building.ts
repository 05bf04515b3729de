import type { IncomingMessage } from 'node:http'
import type { ReplyMiddleware } from '../../../../mocks/stateful/oauth/realm.ts'
import { defaultRules as oauth } from '../../../../mocks/stateful/oauth/rules.ts'
import { defaultJwtRules as jwt } from '../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { defaultRules as server } from '../../../../mocks/stateful/tools.ts'
import {
  applyChange,
  changedRules,
  type DeviationFactory,
  type RulesChange,
  type Unchanged,
} from '../../../../mocks/kit/kit.ts'
import { faultFactory } from '../fault.ts'
import { mergeChoices, type AuthChoices, type AuthDeviation, type AuthRules } from './fault.ts'

// Building blocks for the faults of servers with authentication. The functions that this module
// re-exports from `tools` change the other parts of a server.
export { changeHead, onHttpRequest, pathOf } from '../tools/building.ts'

export type MakeAuthDeviation = DeviationFactory<AuthDeviation>
type Reply = Parameters<ReplyMiddleware>[1]

export const fault = faultFactory<AuthDeviation>()

/**
 * Adds choices of the server or of its target file to a deviation, replacing those of the same
 * name.
 */
export function withChoices(choices: AuthChoices, make: MakeAuthDeviation): MakeAuthDeviation {
  return (hit) => {
    const deviation = make(hit)
    return { ...deviation, choices: mergeChoices(deviation.choices, choices) }
  }
}

/** Runs the fault in an authorization server with its own users. */
export const asProvider = (make: MakeAuthDeviation): MakeAuthDeviation =>
  withChoices({ hosting: { pattern: 'oauth-provider' } }, make)

/** Runs the fault in a proxy, which shows its consent page before it knows the user. */
export const asProxy = (make: MakeAuthDeviation): MakeAuthDeviation =>
  withChoices({ hosting: { pattern: 'oauth-proxy' } }, make)

/** Replaces rules of a server, by layer (`jwt`, `oauth`, `server`). */
export function replaceRules(change: RulesChange<AuthRules>): MakeAuthDeviation {
  return (hit) => ({ rules: changedRules<AuthRules, []>({ jwt, oauth, server }, change, hit) })
}

/**
 * Changes replies of the authorization endpoints, and refusals of the endpoints that they protect.
 */
export function onReply(
  change: (
    reply: Reply,
    request: Parameters<ReplyMiddleware>[2],
    endpoint: Parameters<ReplyMiddleware>[0],
  ) => Reply | Unchanged,
): MakeAuthDeviation {
  return (hit) => ({
    changeReply: (endpoint, reply, request) =>
      applyChange(reply, hit, change(reply, request, endpoint)),
  })
}

/**
 * Returns a function for requests that arrive shortly after one another. The promise of a call is
 * settled by the next call, or after 30 ms.
 */
export function waitForNext(): () => Promise<void> {
  let endWait = () => {}
  return () => {
    endWait()
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 30)
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Returns a function that returns the token with which the session of a request began. */
export function rememberOpeners(): (request: IncomingMessage, token: string) => string | undefined {
  const openers = new Map<string, string>()
  return ({ headers: { 'mcp-session-id': session } }, token) => {
    if (typeof session !== 'string') return undefined
    const opener = openers.get(session) ?? token
    openers.set(session, opener)
    return opener
  }
}
