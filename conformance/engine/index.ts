/**
 * The engine: checks, expectations, verdicts and the run. It does not depend on a protocol, a
 * contract or a test runner.
 */
export * from './check.ts'
export * from './clock.ts'
export * from './context.ts'
export * from './difference.ts'
export * from './expectation.ts'
export * from './expected-failures.ts'
export * from './gate.ts'
export * from './hidden-characters.ts'
export * from './json.ts'
export * from './ledger.ts'
export * from './pending-waits.ts'
export * from './profile.ts'
export * from './random.ts'
export * from './run.ts'
export * from './shared-exclusive-lock.ts'
export * from './shorten.ts'
export * from './signals.ts'
export type { Stage } from './stages.ts'
export type { Timing, Wait } from './timing.ts'
export * from './verdict.ts'
