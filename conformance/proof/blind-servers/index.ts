import { authNodeServers } from './auth-node.ts'
import { authPythonServers } from './auth-python.ts'
import { authServers } from './auth.ts'
import type { BlindServer } from './blind-server.ts'
import { greeting } from './greeting.ts'
import { greetingNode } from './greeting-node.ts'
import { hooks } from './hooks.ts'
import { hooksNode } from './hooks-node.ts'
import { hooksPython } from './hooks-python.ts'
import { hooksPython2 } from './hooks-python-2.ts'
import { images } from './images.ts'
import { imagesNode } from './images-node.ts'
import { imagesPython } from './images-python.ts'
import { imagesPython2 } from './images-python-2.ts'
import { receiver } from './receiver.ts'
import { receiverNode } from './receiver-node.ts'
import { receiverPython } from './receiver-python.ts'
import { tools } from './tools.ts'
import { toolsNode } from './tools-node.ts'
import { toolsPython } from './tools-python.ts'

export type { BlindServer, BlindSwitch } from './blind-server.ts'

export const blindServers: readonly BlindServer[] = [
  images,
  imagesPython,
  imagesNode,
  imagesPython2,
  hooks,
  hooksPython,
  hooksNode,
  hooksPython2,
  receiver,
  receiverNode,
  receiverPython,
  greeting,
  greetingNode,
  tools,
  toolsPython,
  toolsNode,
  ...authServers,
  ...authNodeServers,
  ...authPythonServers,
]

export function findBlindServer(name: string): BlindServer {
  const found = blindServers.find((server) => server.name === name)
  if (found === undefined) throw new Error(`there is no blind implementation ${name}`)
  return found
}
