// The conventions for the tools of a server, as the suite and the commands use them.
export { findingsOf } from './judge.ts'
export { ruleRequirements, type DefinitionFinding } from './finding.ts'
