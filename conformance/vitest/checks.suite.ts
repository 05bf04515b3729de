// The suite file that vitest runs: every conformance check is one of its tests.
import { startSuite } from '../suite.ts'
import { declareChecks } from './declare.ts'

await declareChecks(startSuite)
