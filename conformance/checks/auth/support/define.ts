import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  actingCheck,
  watchingCheck,
  type ActingCheck,
  type WatchingCheck,
} from '../../../engine/index.ts'
import { HttpExchange } from '../../../wire/index.ts'
import type { ToolsMessage } from '../../tools/support/tools-message.ts'
import type { Pattern } from '../../tools/authentication.ts'
import type { AuthWorld } from './world.ts'
import type { ToolsNeed } from '../../tools/target.ts'

/** The patterns with OAuth (3 and 4 in the contract), which have the same endpoints. */
export const oauth: readonly Pattern[] = ['oauth-proxy', 'oauth-provider']

/** The part of the world that the checks of authentication use. */
export interface WithAuth {
  readonly auth: AuthWorld
}

type ActingOptions = Omit<Parameters<typeof actingCheck<WithAuth, ToolsNeed>>[1], 'run'> & {
  /**
   * The patterns to which the requirement applies.
   */
  patterns: readonly Pattern[]
  run(world: AuthWorld): Promise<void>
}

/** Why checks of the patterns `forms` do not apply to a server; undefined if they apply. */
export function inapplicableReason(
  pattern: Pattern,
  forms: readonly string[] | undefined,
): string | undefined {
  return forms === undefined || forms.includes(pattern)
    ? undefined
    : `the authentication pattern of the server is ${pattern}`
}

/** Defines an acting check of authentication, which sends requests. */
export function check(
  requirement: RequirementId,
  { patterns, run, ...options }: ActingOptions,
): ActingCheck<WithAuth> {
  return actingCheck(requirement, {
    ...options,
    forms: patterns,
    run: ({ auth }) => run(auth).finally(auth.releaseClient),
  })
}

type WatchingOptions = Parameters<typeof watchingCheck<HttpExchange, ToolsNeed>>[1]

/**
 * Defines a watching check, which examines the exchanges of all checks. It examines requests to the
 * OAuth endpoints, and requests to the resource with various tokens, but not MCP messages. By
 * default, it applies to the patterns with OAuth.
 */
export function watch(
  requirement: RequirementId,
  { examine, ...options }: WatchingOptions,
): WatchingCheck<ToolsMessage> {
  return watchingCheck(requirement, {
    forms: oauth,
    ...options,
    examine: (message: ToolsMessage) => (message instanceof HttpExchange ? examine(message) : []),
  })
}
