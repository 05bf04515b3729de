import type { RequirementId } from '../../generated/requirements/index.ts'

/**
 * For each reason for which a mock refuses a request, the requirement according to which it
 * refuses. For some reasons, the requirement depends on the operation. A reason is missing if the
 * contract leaves the refusal open.
 */
export type RefusedRequirements<Reason extends string, Operation extends string> = Readonly<
  Partial<Record<Reason, RequirementId | Readonly<Partial<Record<Operation, RequirementId>>>>>
>

/** Returns a function that looks up the requirement of a reason. */
export function newRequirementLookup<Reason extends string, Operation extends string>(
  requirements: RefusedRequirements<Reason, Operation>,
): (reason: string, operation: Operation) => RequirementId | undefined {
  return (reason, operation) => {
    const found = requirements[reason as Reason]
    return typeof found === 'object'
      ? (found as Partial<Record<Operation, RequirementId>>)[operation]
      : (found as RequirementId | undefined)
  }
}
