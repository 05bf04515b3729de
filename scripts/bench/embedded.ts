import { startSuite } from '../../conformance/suite.ts'
import { loadTarget } from '../../conformance/target.ts'

// Tests the target of a target file in this process, without the command.
const run = await startSuite(await loadTarget({ file: process.argv[2] }))
await run.verdicts
await run.finish()
