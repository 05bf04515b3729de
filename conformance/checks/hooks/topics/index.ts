import type { Check } from '../../../engine/index.ts'
import { acknowledgementsChecks } from './acknowledgements.ts'
import { actionsChecks } from './actions.ts'
import { authenticationChecks } from './authentication.ts'
import { confidentialIssueChecks } from './confidential-issues.ts'
import { configurationChecks } from './configuration.ts'
import { creationChecks } from './creation.ts'
import { deliveriesChecks } from './deliveries.ts'
import { formsChecks } from './forms.ts'
import { headersChecks } from './headers.ts'
import { hookSelectionChecks } from './hook-selection.ts'
import { momentsChecks } from './moments.ts'
import { payloads } from './payloads.ts'
import { relations } from './relations.ts'
import { isolationChecks } from './isolation.ts'
import { openPointsChecks } from './open-points.ts'
import { testCallsChecks } from './test-calls.ts'
import { tlsChecks } from './tls.ts'
import { triggersChecks } from './triggers.ts'
import { refusedCallsChecks } from './refused-calls.ts'
import type { HooksMessage, HooksWorld } from '../support/world.ts'

/**
 * All checks of a service that has hooks, and sends deliveries. The engine orders them as in the
 * catalogue.
 */
export const checks: readonly Check<HooksWorld, HooksMessage>[] = [
  ...creationChecks,
  ...configurationChecks,
  ...testCallsChecks,
  ...authenticationChecks,
  ...refusedCallsChecks,
  ...isolationChecks,
  ...deliveriesChecks,
  ...headersChecks,
  ...formsChecks,
  ...payloads,
  ...relations,
  ...confidentialIssueChecks,
  ...tlsChecks,
  ...triggersChecks,
  ...actionsChecks,
  ...hookSelectionChecks,
  ...momentsChecks,
  ...acknowledgementsChecks,
  ...openPointsChecks,
]
