import { startContractImages } from '../prism/images.ts'
import { startImages } from '../stateful/images.ts'

/** What a test of a client reads of an image mock. */
export interface ClientsMock {
  accountUrl: string
  batchUrl: string
  options: { account: string; tokens: { api: string; batch: string } }
  close(): Promise<void>
}

interface MockOfClients {
  /** Whether the mock stores what a client sends. */
  remembers: boolean
  start(): Promise<ClientsMock>
}

/** Both image mocks. Every client is tested with both. */
export const imageMocks: [string, MockOfClients][] = [
  ['contract mock', { remembers: false, start: () => startContractImages() }],
  ['stateful mock', { remembers: true, start: () => startImages() }],
]
