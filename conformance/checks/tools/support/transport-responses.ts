import { Blocked, Unreachable, type Clock } from '../../../engine/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { McpExchange, McpTransport, ShortenTimeout } from '../../../wire/index.ts'
import { Reachability } from '../../../wire/reachability.ts'
import { LostTime } from '../../../wire/lost-time.ts'
import { Silence } from '../../../wire/silence.ts'
import type { ToolsTarget } from '../target.ts'

/** The properties that a message shares with its exchange. */
type Outgoing = Pick<McpExchange, 'transport' | 'operation'>

/**
 * Knows whether a server still accepts connections, whether it still responds on each transport,
 * and whether its tools still respond.
 */
export class TransportResponses {
  private readonly silences: Readonly<Record<McpTransport, Silences>>
  private readonly reachability: Reachability<{ url: string; operation: string }>

  private readonly timeout: number

  /** `timeout` is the timeout that the user sets for every exchange, in milliseconds. */
  constructor(clock: Clock, { http, sse }: Pick<ToolsTarget, 'http' | 'sse'>, timeout: number) {
    this.timeout = timeout
    const urls = [http, sse].filter((url) => url !== undefined)
    const lost = new LostTime(timeout)
    const newSilences = () => ({ calls: new Silence(lost), others: new Silence(lost) })
    this.silences = { http: newSilences(), sse: newSilences(), stdio: newSilences() }
    this.reachability = new Reachability(
      clock,
      urls,
      timeout,
      ({ operation }) => operation,
      ({ operation }) => isCall(operation) || isMalformed(operation),
    )
  }

  /** Records an exchange that has ended, or that was given up. */
  add(exchange: McpExchange): void {
    const { transport, operation, startedAt, endedAt, receivedCount } = exchange
    const isInterrupted = exchange.isInterrupted && !exchange.isClosedWithOthers
    const { calls, others } = this.silences[transport]
    const duration = isInterrupted ? 0 : exchange.milliseconds
    if (receivedCount > 0) this.reachability.answered(addressed(exchange))
    const timesOut = isCall(operation) || exchange.heldUpBy !== undefined ? calls : others
    // A server may send the status, and so begin an event stream, before it runs the tool.
    if (!isInterrupted || receivedCount > 0) {
      timesOut.responded(duration)
      others.responded()
    }
    // Timeouts of calls do not count for the other messages: the tools may hang, not the server.
    // A message with a shorter timeout may need no response, such as one that is not a request.
    else if (
      endedAt !== undefined &&
      endedAt - startedAt >= this.shortenTimeout(exchange, this.timeout)
    )
      timesOut.timedOut({ sentAt: startedAt, endedAt })
  }

  /** Returns the timeout of the next message: long ones shrink once the run has lost much time. */
  readonly shortenTimeout: ShortenTimeout = ({ transport, operation }, timeout) => {
    const { calls, others } = this.silences[transport]
    return (isCall(operation) ? calls : others).shorten(timeout)
  }

  /**
   * Call this before a check of `requirement` sends a message. Ends the check if the server no
   * longer responds on the transport. Blocks the check if only calls of tools get no response.
   */
  requireResponding(
    { transport, operation }: Outgoing,
    requirement: RequirementId | undefined,
  ): void {
    const { calls, others } = this.silences[transport]
    const counted = (silence: Silence, what: string) =>
      `${silence.describe(what)} over ${transport}, the last one ${silence.afterTime}`
    if (others.isLasting)
      throw new Unreachable(`the server does not respond: ${counted(others, 'messages')}`)
    if (isCall(operation) && calls.isLasting && requirement !== 'TOOL-CALL-01')
      throw new Blocked('TOOL-CALL-01', counted(calls, 'calls'))
  }

  /** Ends the check if an exchange failed because the server accepts no connections. */
  async requireReachable(exchange: McpExchange): Promise<void> {
    const { failure, why = '', transport } = exchange
    if (transport === 'stdio' || (failure !== 'unreachable' && failure !== 'closed')) return
    const reason = await this.reachability.explain(addressed(exchange), {
      failure: why,
      isRefused: failure === 'unreachable',
    })
    if (reason !== undefined) throw new Unreachable(reason)
  }
}

interface Silences {
  readonly calls: Silence
  readonly others: Silence
}

const isCall = (operation: string): boolean => operation.startsWith('tools/call')
const isMalformed = (operation: string): boolean => /^(malformed|invalid request)/.test(operation)

const addressed = ({ sent, operation, redact }: McpExchange) => ({
  url: sent.url,
  operation: redact.sentence(operation),
})
