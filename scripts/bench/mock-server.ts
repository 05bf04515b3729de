// The mock that the first argument names, alone in a process, which reports its memory when it is asked.
import { mocks, type MockName, type Running } from '../../mocks/registry.ts'

/** What it says when it is ready. */
export type MockServer = Pick<Running, 'urls' | 'identifiers' | 'tokens'>

const {
  urls,
  identifiers: owns,
  tokens,
} = await mocks[process.argv[2] as MockName].start({
  kind: 'stateful',
  ports: {},
})
process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ rss: process.memoryUsage().rss })
})
// Nobody is left to ask.
process.on('disconnect', () => process.exit())
process.send?.({ urls, identifiers: owns, tokens } satisfies MockServer)
