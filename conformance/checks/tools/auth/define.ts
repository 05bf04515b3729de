import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotApplicable, playing, watching, type PlayedCheck, type WatchingCheck } from '../../../engine/index.ts'
import { HttpExchange } from '../../../wire/index.ts'
import type { ToolsMessage } from '../message.ts'
import type { ToolsWorld } from '../world.ts'
import type { Pattern } from './access.ts'
import type { AuthWorld } from './world.ts'

/** Patterns 3 and 4, whose endpoints are the same. */
export const oauth: readonly Pattern[] = ['oauth-proxy', 'oauth-provider']

type Played = Omit<Parameters<typeof playing<ToolsWorld>>[1], 'play'> & {
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

/** A check that acts with the authentication of a tool server. */
export function check(requirement: RequirementId, { patterns, play, needs, ...options }: Played): PlayedCheck<ToolsWorld> {
  // Whether a row applies goes before what the target file lacks for it.
  const lacks = needs ?? []
  return playing(requirement, {
    ...options,
    needs: lacks,
    play({ auth }) {
      if (!patterns.includes(auth.pattern)) throw new NotApplicable(`the server has ${names[auth.pattern]}`)
      return play(auth)
    },
  })
}

type Watched = Parameters<typeof watching<HttpExchange>>[1]

/** A check that examines every bare request of the run: those at the three endpoints, and those for a resource. */
export function watch(requirement: RequirementId, { examine, ...options }: Watched): WatchingCheck<ToolsMessage> {
  return watching(requirement, { ...options, examine: (message: ToolsMessage) => (message instanceof HttpExchange ? examine(message) : []) })
}
