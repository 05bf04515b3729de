// What `touchstone/tools` exports: the documented schemas of the contract, the rules that schemas
// cannot state, and guards for results. The suite itself imports index.ts, which loads less.
export * from '../../generated/tools/documented/index.ts'
export {
  dataOf,
  isPage,
  isToolError,
  isTruncated,
  textOf,
  type ToolCallResult,
} from '../../kit/tools/results.ts'
export { findingsOf } from './judge.ts'
export { ruleRequirements, type DefinitionFinding, type DefinitionRule } from './finding.ts'
export { validateInputSchema, validateToolDefinition } from './validators.ts'
