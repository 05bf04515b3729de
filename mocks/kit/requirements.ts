import type { RequirementId } from '../../generated/requirements/index.ts'

/** For each rule of a mock the requirements that it keeps, or why it keeps none. */
export type RuleRequirements<Rules> = Readonly<
  Record<keyof Rules, readonly [RequirementId, ...RequirementId[]] | { readonly none: string }>
>
