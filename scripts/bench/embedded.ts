import { startSuite } from '../../conformance/suite.ts'
import { loadTarget } from '../../conformance/target.ts'

// Judges the target of a file in this process, and does nothing else.
const run = await startSuite(await loadTarget({ file: process.argv[2] }))
await run.verdicts
await run.finish()
