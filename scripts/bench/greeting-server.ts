// The greeting service alone in a process, which tells its memory when it is asked.
import { startGreeting } from '../../mocks/stateful/greeting.ts'

export interface GreetingServerAddress {
  address: string
}

const { address } = await startGreeting()
process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ rss: process.memoryUsage().rss })
})
// Nobody is left to ask.
process.on('disconnect', () => process.exit())
process.send?.({ address } satisfies GreetingServerAddress)
