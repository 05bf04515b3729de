import { batches } from './batches.ts'
import { calls } from './calls.ts'
import { clients } from './clients.ts'
import { definitions } from './definitions.ts'
import { events } from './sse.ts'
import { failures } from './failures.ts'
import type { ToolsFault } from './fault.ts'
import { handshake } from './handshake.ts'
import { malformedInput } from './malformed-input.ts'
import { input } from './input.ts'
import { stdioFaults } from './stdio.ts'
import { lists } from './lists.ts'
import { markdown } from './markdown.ts'
import { pagesOfItems } from './pages.ts'
import { rpc } from './rpc.ts'
import { oneTransport } from './one-transport.ts'
import { transports } from './transports.ts'
import { resourceUpdates } from './resource-updates.ts'
import { resumption } from './resumption.ts'
import { sessions } from './sessions.ts'
import { streamable } from './streamable.ts'
import { undeclaredAuthentication } from './undeclared-authentication.ts'
import { notifications } from './notifications.ts'
import { truncation } from './truncation.ts'

/** Every handwritten fault of tool servers. */
export const faults: readonly ToolsFault[] = [
  ...transports,
  ...oneTransport,
  ...undeclaredAuthentication,
  ...handshake,
  ...lists,
  ...resourceUpdates,
  ...rpc,
  ...batches,
  ...streamable,
  ...sessions,
  ...resumption,
  ...events,
  ...stdioFaults,
  ...clients,
  ...malformedInput,
  ...definitions,
  ...calls,
  ...input,
  ...pagesOfItems,
  ...truncation,
  ...markdown,
  ...failures,
  ...notifications,
]
