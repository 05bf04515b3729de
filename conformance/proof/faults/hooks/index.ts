import type { HooksFault } from './fault.ts'
import { acknowledgements } from './acknowledgements.ts'
import { actions } from './actions.ts'
import { addresses } from './addresses.ts'
import { agreement } from './agreement.ts'
import { issueAgreement } from './agreement-issues.ts'
import { arrival } from './arrival.ts'
import { authentication } from './authentication.ts'
import { bodies } from './bodies.ts'
import { changes } from './changes.ts'
import { confidentialIssues } from './confidential-issues.ts'
import { creation } from './creation.ts'
import { flagFaults } from './flags.ts'
import { forms } from './forms.ts'
import { headers } from './headers.ts'
import { hookSelection } from './hook-selection.ts'
import { identities } from './identities.ts'
import { isolation } from './isolation.ts'
import { moments } from './moments.ts'
import { nullValues } from './null-values.ts'
import { operations } from './operations.ts'
import { otherProject } from './other-project.ts'
import { payloads } from './payloads.ts'
import { refusedCalls } from './refused-calls.ts'
import { statuses } from './statuses.ts'
import { tls } from './tls.ts'
import { triggers } from './triggers.ts'

export { mutants } from './mutants.ts'

/** Every handwritten fault of the hook service. */
export const faults: readonly HooksFault[] = [
  ...operations,
  ...creation,
  ...flagFaults,
  ...authentication,
  ...statuses,
  ...arrival,
  ...addresses,
  ...headers,
  ...bodies,
  ...payloads,
  ...changes,
  ...agreement,
  ...issueAgreement,
  ...identities,
  ...nullValues,
  ...confidentialIssues,
  ...moments,
  ...isolation,
  ...refusedCalls,
  ...tls,
  ...triggers,
  ...actions,
  ...hookSelection,
  ...acknowledgements,
  ...forms,
  ...otherProject,
]
