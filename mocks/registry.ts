import type { Mock } from './registry/entry.ts'
import { startGreeting } from './registry/greeting.ts'
import { startHooks } from './registry/hooks.ts'
import { startIdentity } from './registry/identity.ts'
import { startImages } from './registry/images.ts'
import { startReceiver } from './registry/receiver.ts'
import { startTools } from './registry/tools.ts'

export {
  authPatterns,
  type AuthPattern,
  type MockKind,
  type Running,
  type StartOptions,
} from './registry/entry.ts'

/** Every mock by its name. */
export const mocks: Readonly<Record<string, Mock>> = {
  images: {
    title: 'Image hosting',
    hosts: ['account', 'batch', 'upload', 'delivery'],
    firstPort: 4010,
    start: startImages,
  },
  hooks: {
    title: 'Hooks and their deliveries',
    hosts: ['api'],
    firstPort: 4020,
    start: startHooks,
  },
  receiver: {
    title: 'Receiver of deliveries',
    hosts: ['receiver'],
    firstPort: 4030,
    start: startReceiver,
  },
  greeting: { title: 'Greeting RPC', hosts: ['rpc'], firstPort: 50051, start: startGreeting },
  tools: { title: 'Tool server', hosts: ['mcp'], firstPort: 4050, start: startTools },
  identity: {
    title: 'Identity provider',
    hosts: ['identity'],
    firstPort: 4060,
    start: startIdentity,
  },
}
