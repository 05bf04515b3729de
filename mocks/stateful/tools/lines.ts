import type { Readable, Writable } from 'node:stream'
import type { ToolsContext } from './call.ts'
import { connect } from './connect.ts'
import { LineTransport } from './stdio.ts'

/** A client that is served over two streams. */
export interface LineService {
  /**
   * Resolves when the service ends: the input has ended and all requests were answered, the output
   * broke, or `close` was called.
   */
  closed: Promise<void>
  close(): Promise<void>
}

/**
 * Serves a client that writes to `input` and reads from `output`. Ends `output` when the service
 * ends.
 */
export function serveLines(context: ToolsContext, input: Readable, output: Writable): LineService {
  const transport = new LineTransport(context, input, output)
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      // Signals the end to the reader. The stdout of a process cannot be ended, and this is not
      // necessary.
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
