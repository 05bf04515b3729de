import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { playing, watching, type PlayedCheck, type WatchingCheck } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import type { GreetingWorld } from './world.ts'
import type { GreetingNeed } from '../target.ts'

type Played = Parameters<typeof playing<GreetingWorld, GreetingNeed>>[1]
type Watched = Parameters<typeof watching<GrpcExchange, GreetingNeed>>[1]

/** What every check stands on: that ordinary names are greeted at all. */
const root: RequirementId = 'GRT-SERVICE-02'

/** A check that calls the greeting RPC. */
export function check(requirement: RequirementId, options: Played): PlayedCheck<GreetingWorld> {
  return playing(requirement, { root, ...options })
}

/** A check that examines all streams of the run. */
export function watch(
  requirement: RequirementId,
  options: Omit<Watched, 'sources'>,
): WatchingCheck<GrpcExchange> {
  return watching(requirement, { root, sources: [root], ...options })
}
