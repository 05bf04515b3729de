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

/** Patterns 3 and 4, whose endpoints are the same. */
export const oauth: readonly Pattern[] = ['oauth-proxy', 'oauth-provider']

/** What a check of a tool server's authentication plays with. */
export interface WithAuth {
  readonly auth: AuthWorld
}

type Played = Omit<Parameters<typeof actingCheck<WithAuth, ToolsNeed>>[1], 'run'> & {
  /** The patterns that the row is about: a target with another one is none of its affair. */
  patterns: readonly Pattern[]
  play(world: AuthWorld): Promise<void>
}

const names: Readonly<Record<Pattern, string>> = {
  none: 'no authentication',
  jwt: 'tokens that it verifies itself',
  'oauth-proxy': 'an identity provider behind it',
  'oauth-provider': 'users of its own',
}

/** Why checks of these patterns have nothing to do with a server; undefined where they have. */
export function excluded(
  pattern: Pattern,
  forms: readonly string[] | undefined,
): string | undefined {
  return forms === undefined || forms.includes(pattern)
    ? undefined
    : `the server has ${names[pattern]}`
}

/** A check that acts with the authentication of a tool server. */
export function check(
  requirement: RequirementId,
  { patterns, play, ...options }: Played,
): ActingCheck<WithAuth> {
  return actingCheck(requirement, { ...options, forms: patterns, run: ({ auth }) => play(auth) })
}

type Watched = Parameters<typeof watchingCheck<HttpExchange, ToolsNeed>>[1]

/** A check that examines every bare request of the run: those at the three endpoints, and those for a resource. */
export function watch(
  requirement: RequirementId,
  { examine, ...options }: Watched,
): WatchingCheck<ToolsMessage> {
  return watchingCheck(requirement, {
    forms: oauth,
    ...options,
    examine: (message: ToolsMessage) => (message instanceof HttpExchange ? examine(message) : []),
  })
}
