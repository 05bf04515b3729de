import { Blocked, Unreachable } from '../../../engine/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { maxTimeouts, Silence } from '../../../wire/silence.ts'

/** Knows whether a server still responds on each transport, and whether its tools do. */
export class TransportResponses {
  private readonly silences = { http: newSilences(), sse: newSilences(), stdio: newSilences() }

  /** Records an exchange that has ended, or that was given up. */
  add(exchange: McpExchange): void {
    const { transport, operation, isInterrupted, startedAt, endedAt, receivedCount } = exchange
    const { all, calls } = this.silences[transport]
    for (const silence of isCall(operation) ? [all, calls] : [all])
      // A server may send the status, and so begin an event stream, before it runs the tool.
      if (!isInterrupted || receivedCount > 0) silence.responded()
      else if (endedAt !== undefined) silence.timedOut({ sentAt: startedAt, endedAt })
  }

  /**
   * Ends a check of `requirement` that wants to send a message, if the server no longer responds on
   * the transport. Blocks it if only calls of tools get no response.
   */
  requireResponding(
    { transport, operation }: Pick<McpExchange, 'transport' | 'operation'>,
    requirement: RequirementId | undefined,
  ): void {
    const { all, calls } = this.silences[transport]
    const counted = (what: string) =>
      `${maxTimeouts} consecutive ${what} timed out over ${transport}`
    if (all.isLasting)
      throw new Unreachable(`the server no longer responds: ${counted('messages')}`)
    if (isCall(operation) && calls.isLasting && requirement !== 'TOOL-CALL-01')
      throw new Blocked('TOOL-CALL-01', counted('calls'))
  }
}

const newSilences = () => ({ all: new Silence(), calls: new Silence() })

const isCall = (operation: string): boolean => operation.startsWith('tools/call')
