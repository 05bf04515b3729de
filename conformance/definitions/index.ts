// The conventions for the tools of a server: the schemas of the contract, and the rules that
// schemas cannot state.
export * from '../../generated/tools/index.ts'
export { findingsOf } from './judge.ts'
export { ruleRequirements, type DefinitionFinding, type DefinitionRule } from './finding.ts'
export { validateInputSchema, validateToolDefinition } from './validators.ts'
