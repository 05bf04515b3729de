import { authentication } from './authentication.ts'
import { connection } from './connection.ts'
import { limits } from './limits.ts'
import { rpc } from './method.ts'
import { pairs } from './pairs.ts'
import { protocol } from './protocol.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'
import { streams } from './streams.ts'
import { greetings } from './greetings.ts'

/** All checks of the greeting contract. The engine orders them as in the catalogue. */
export const checks = [
  ...streams,
  ...requests,
  ...responses,
  ...greetings,
  ...rpc,
  ...pairs,
  ...authentication,
  ...limits,
  ...protocol,
  ...connection,
]
