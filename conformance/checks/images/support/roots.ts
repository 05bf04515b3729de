import { operations } from '../../../../generated/images/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'

/** What every check of the account host stands on. */
export const accountRoot: RequirementId = 'IMG-ADDRESS-01'
/** What every check of the batch host stands on. */
export const batchRoot: RequirementId = 'IMG-BATCH-02'

/** The row that an operation itself stands in: its check fails first where the operation does not work. */
export function rootOf(operation: string): RequirementId {
  if (operation === 'deliverImage') return 'IMG-SERVICE-01'
  const known = (operations as Record<string, { requirement: string } | undefined>)[operation]
  if (known === undefined) throw new Error(`${operation} is no operation of the contract`)
  return known.requirement as RequirementId
}
