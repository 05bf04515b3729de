/** The engine: a check, its expectations, the verdict, the run. Knows no protocol, no test runner and no contract. */
export * from './check.ts'
export * from './clock.ts'
export * from './expectation.ts'
export * from './gate.ts'
export * from './ledger.ts'
export * from './run.ts'
export * from './signals.ts'
export * from './verdict.ts'
