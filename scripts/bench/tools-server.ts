// The tool server alone in a process.
import { startTools } from '../../mocks/stateful/tools.ts'

const { mcp: url } = await startTools()
// Nobody is left to ask.
process.on('disconnect', () => process.exit())
process.send?.({ url })
