// The stateful hook service alone in a process, which tells its memory when it is asked.
import { startHooks } from '../../mocks/stateful/hooks.ts'

const {
  url,
  options: { project, token },
} = await startHooks()

export interface HooksServerAddress {
  url: string
  project: string
  token: string
}

process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ rss: process.memoryUsage().rss })
})
process.send?.({ url, project, token } satisfies HooksServerAddress)
