import type { RequirementId } from '../../generated/requirements/index.ts'

/** For each rule of a mock, the requirements that the rule implements, or why there are none. */
export type RuleRequirements<Rules> = Readonly<
  Record<keyof Rules, readonly [RequirementId, ...RequirementId[]] | { readonly none: string }>
>
