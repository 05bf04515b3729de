// The test file of `npm run conformance`: each of its tests is a conformance check.
import { inject } from 'vitest'
import { declareChecks } from './declare.ts'
import './provided.ts'

await declareChecks(inject('touchstone'))
