import type { Check } from '../../../engine/index.ts'
import { authentication } from './authentication.ts'
import { configuration } from './configuration.ts'
import { creation } from './creation.ts'
import { deliveries } from './deliveries.ts'
import { headers } from './headers.ts'
import { payloads } from './payloads.ts'
import { relations } from './relations.ts'
import { openPoints } from './open-points.ts'
import { testCalls } from './test-calls.ts'
import { tls } from './tls.ts'
import { refusedCalls } from './refused-calls.ts'
import type { HooksMessage, HooksWorld } from '../support/world.ts'

/**
 * All checks of a service that has hooks, and sends deliveries. The engine orders them as in the
 * catalogue.
 */
export const checks: readonly Check<HooksWorld, HooksMessage>[] = [
  ...creation,
  ...configuration,
  ...testCalls,
  ...authentication,
  ...refusedCalls,
  ...deliveries,
  ...headers,
  ...payloads,
  ...relations,
  ...tls,
  ...openPoints,
]
