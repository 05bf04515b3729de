import type { Readable, Writable } from 'node:stream'
import type { ToolsContext } from './call.ts'
import { connect } from './connect.ts'
import { LineTransport } from './stdio.ts'

/** One client that is served over two streams. */
export interface LineService {
  /** Resolves when it has ended: its input did and all was answered, its output broke, or it was closed. */
  closed: Promise<void>
  close(): Promise<void>
}

/** Serves a client that writes to `input` and reads from `output`. When it has ended, so has the output. */
export function serveLines(context: ToolsContext, input: Readable, output: Writable): LineService {
  const transport = new LineTransport(context, input, output)
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      // Whoever reads learns that nothing more comes. The stdout of a process cannot be ended, and does not need it.
      if (output !== process.stdout) output.end()
      resolve()
    }
  })
  void connect(context, 'stdio', transport)
  return {
    closed,
    async close() {
      await transport.close()
      await closed
    },
  }
}
