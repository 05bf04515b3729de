import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  actingCheck,
  watchingCheck,
  type ActingCheck,
  type WatchingCheck,
} from '../../../engine/index.ts'
import type { HooksMessage, HooksWorld } from './world.ts'
import type { HooksNeed } from '../target.ts'

type ActingOptions = Parameters<typeof actingCheck<HooksWorld, HooksNeed>>[1]
type WatchingOptions = Parameters<typeof watchingCheck<HooksMessage, HooksNeed>>[1]

/** If this requirement is not met, every check that names no other `root` is blocked. */
const root: RequirementId = 'HOOK-CREATE-01'

/** Defines a check that acts on the hook API. */
export function check(requirement: RequirementId, options: ActingOptions): ActingCheck<HooksWorld> {
  return actingCheck(requirement, { root, ...options })
}

/** Defines a check that waits for deliveries. The sender must be able to reach the suite. */
export function deliveryCheck(
  requirement: RequirementId,
  { needs = [], ...options }: ActingOptions,
): ActingCheck<HooksWorld> {
  return check(requirement, {
    root: 'HOOK-TEST-01',
    needs: ['hooks.state', 'suite.receiver', ...needs],
    ...options,
  })
}

/** Defines a check that examines all messages of the run. */
export function watch(
  requirement: RequirementId,
  options: WatchingOptions,
): WatchingCheck<HooksMessage> {
  return watchingCheck(requirement, { root, ...options })
}
