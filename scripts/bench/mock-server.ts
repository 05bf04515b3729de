// Runs a mock in a separate process, and reports its memory on request. The first argument is the
// name of the mock.
import { mocks, type MockName, type Running } from '../../mocks/registry.ts'

/** The message that the process sends when the mock is ready. */
export type MockServer = Pick<Running, 'urls' | 'identifiers' | 'tokens'>

const { urls, identifiers, tokens } = await mocks[process.argv[2] as MockName].start({
  kind: 'stateful',
  ports: {},
})
process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ rss: process.memoryUsage().rss })
})
// The benchmark disconnects from this process when it has ended.
process.on('disconnect', () => process.exit())
process.send?.({ urls, identifiers, tokens } satisfies MockServer)
