import { calls } from './calls.ts'
import { clients } from './clients.ts'
import { definitions } from './definitions.ts'
import { events } from './events.ts'
import { failures } from './failures.ts'
import type { ToolsFault } from './fault.ts'
import { handshake } from './handshake.ts'
import { harm } from './harm.ts'
import { input } from './input.ts'
import { lines } from './lines.ts'
import { lists } from './lists.ts'
import { markdown } from './markdown.ts'
import { pagesOfItems } from './pages.ts'
import { rpc } from './rpc.ts'
import { serving } from './serving.ts'
import { sessions } from './sessions.ts'
import { streamable } from './streamable.ts'
import { strangers } from './strangers.ts'
import { telling } from './telling.ts'
import { truncation } from './truncation.ts'

/** Every written fault of tool servers. */
export const faults: readonly ToolsFault[] = [
  ...serving,
  ...strangers,
  ...handshake,
  ...lists,
  ...rpc,
  ...streamable,
  ...sessions,
  ...events,
  ...lines,
  ...clients,
  ...harm,
  ...definitions,
  ...calls,
  ...input,
  ...pagesOfItems,
  ...truncation,
  ...markdown,
  ...failures,
  ...telling,
]
