import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  actingCheck,
  watchingCheck,
  type ActingCheck,
  type WatchingCheck,
} from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { accountRoot, batchRoot } from './roots.ts'
import type { ImagesWorld } from './world.ts'
import type { ImagesNeed } from '../target.ts'

type ActingOptions = Parameters<typeof actingCheck<ImagesWorld, ImagesNeed>>[1]
type WatchingOptions = Parameters<typeof watchingCheck<HttpExchange, ImagesNeed>>[1]

/** Defines a check that acts on the account host. */
export function check(
  requirement: RequirementId,
  options: ActingOptions,
): ActingCheck<ImagesWorld> {
  return actingCheck(requirement, {
    root: accountRoot,
    ...options,
    run: withReadBacks(options.run),
  })
}

/** Defines a check that acts on the batch host. */
export function batchCheck(
  requirement: RequirementId,
  { needs = [], ...options }: ActingOptions,
): ActingCheck<ImagesWorld> {
  return actingCheck(requirement, {
    root: batchRoot,
    needs: ['images.batch', ...needs],
    ...options,
    run: withReadBacks(options.run),
  })
}

/**
 * Adds a step to a check: after it has run, reads what its refused requests must not have changed.
 */
const withReadBacks =
  (run: ActingOptions['run']): ActingOptions['run'] =>
  async (world) => {
    await run(world)
    await world.verifyReadBacks()
  }

/** Defines a check that examines all responses of the run. */
export function watch(
  requirement: RequirementId,
  options: WatchingOptions,
): WatchingCheck<HttpExchange> {
  return watchingCheck(requirement, { root: accountRoot, ...options })
}
