import { operations } from '../../../../generated/images/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'

/** The requirement on which all checks of the account host depend. */
export const accountRoot: RequirementId = 'IMG-ADDRESS-01'
/** The requirement on which all checks of the batch host depend. */
export const batchRoot: RequirementId = 'IMG-BATCH-02'

/**
 * The requirement that an operation works. If its check fails, checks that depend on the operation
 * are blocked.
 */
export function rootOf(operation: string): RequirementId {
  if (operation === 'deliverImage') return 'IMG-SERVICE-01'
  const entry = (operations as Record<string, { requirement: string } | undefined>)[operation]
  if (entry === undefined) throw new Error(`${operation} is not an operation of the contract`)
  return entry.requirement as RequirementId
}
