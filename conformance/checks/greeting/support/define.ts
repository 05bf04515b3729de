import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  actingCheck,
  watchingCheck,
  type ActingCheck,
  type WatchingCheck,
} from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import type { GreetingWorld } from './world.ts'
import type { GreetingNeed } from '../target.ts'

type ActingOptions = Parameters<typeof actingCheck<GreetingWorld, GreetingNeed>>[1]
type WatchingOptions = Parameters<typeof watchingCheck<GrpcExchange, GreetingNeed>>[1]

/** The default root: if the server does not respond to ordinary names, this blocks the checks. */
const root: RequirementId = 'GRT-SERVICE-02'

/** Defines a check that calls the greeting RPC. */
export function check(
  requirement: RequirementId,
  options: ActingOptions,
): ActingCheck<GreetingWorld> {
  return actingCheck(requirement, { root, ...options })
}

/** Defines a check that examines all streams of the run. */
export function watch(
  requirement: RequirementId,
  options: Omit<WatchingOptions, 'sources'>,
): WatchingCheck<GrpcExchange> {
  return watchingCheck(requirement, { root, sources: [root], ...options })
}
