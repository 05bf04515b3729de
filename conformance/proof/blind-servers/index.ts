import { authServers } from './auth.ts'
import type { BlindServer } from './blind-server.ts'
import { greeting } from './greeting.ts'
import { hooks } from './hooks.ts'
import { images } from './images.ts'
import { receiver } from './receiver.ts'
import { tools } from './tools.ts'

export type { BlindServer, BlindSwitch } from './blind-server.ts'

export const blindServers: readonly BlindServer[] = [
  images,
  hooks,
  receiver,
  greeting,
  tools,
  ...authServers,
]

export function findBlindServer(name: string): BlindServer {
  const found = blindServers.find((server) => server.name === name)
  if (found === undefined) throw new Error(`there is no blind implementation ${name}`)
  return found
}
