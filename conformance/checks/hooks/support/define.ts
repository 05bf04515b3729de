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

/** What every check stands on: that a hook can be made. */
const root: RequirementId = 'HOOK-CREATE-01'

/** A check that acts at the hook API. */
export function check(requirement: RequirementId, options: ActingOptions): ActingCheck<HooksWorld> {
  return actingCheck(requirement, { root, ...options })
}

/** A check that waits for deliveries: the sender must be able to reach the suite, and to send at all. */
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

/** A check that examines all messages of the run. */
export function watch(
  requirement: RequirementId,
  options: WatchingOptions,
): WatchingCheck<HooksMessage> {
  return watchingCheck(requirement, { root, ...options })
}
