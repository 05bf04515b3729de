import { newRequirementLookup } from '../../kit/refused.ts'
import type { HooksOperation } from './call.ts'
import type { HooksReason } from './refusal.ts'

/** The requirement according to which the hook service refuses a request, for the request log. */
export const requirementOf = newRequirementLookup<HooksReason, HooksOperation>({
  'body-not-json': { createHook: 'HOOK-CREATE-04' },
  'flag-not-boolean': { createHook: 'HOOK-CONFIG-17' },
  'hook-unknown': { testHook: 'HOOK-TEST-05' },
  'project-unknown': { createHook: 'HOOK-CREATE-06' },
  'token-malformed': { createHook: 'HOOK-CONFIG-05' },
  unauthorized: { createHook: 'HOOK-AUTH-03', testHook: 'HOOK-AUTH-05' },
  'url-malformed': { createHook: 'HOOK-CONFIG-02' },
  'url-missing': { createHook: 'HOOK-CONFIG-01' },
})
