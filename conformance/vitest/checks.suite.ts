// The suite file of `npm run conformance`: every conformance check is one of its tests.
import { inject } from 'vitest'
import { declareChecks } from './declare.ts'
import './provided.ts'

await declareChecks(inject('touchstone'))
