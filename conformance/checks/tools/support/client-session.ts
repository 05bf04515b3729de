import type {
  McpConnection,
  McpExchange,
  McpRequestOptions,
  McpTransport,
} from '../../../wire/index.ts'
import { definitionsOf, hasNestedInput, type Tool } from './tool.ts'

export interface MessageToSend {
  readonly transport: McpTransport
  /** The method, or the operation of the exchange. */
  readonly operation: string
}

/** How a session performs its exchanges. */
export interface ExchangeRunner {
  /** Performs one exchange and records it. */
  run(message: MessageToSend, send: () => Promise<McpExchange>): Promise<McpExchange>
}

/** Sends a message on a connection. */
type Send = (connection: McpConnection) => Promise<McpExchange>

/** The connection of a session. */
interface Line {
  connection: McpConnection
  /** Connects again after the process of the server has ended, or while it hangs. */
  readonly reconnect?: (() => Promise<McpConnection>) | undefined
  /** The next connection, while it is opened. */
  next?: Promise<McpConnection> | undefined
}

/** A session of one client: a connection after its handshake. */
export class Session {
  readonly transport: McpTransport
  readonly handshake: McpExchange
  /** The responses to tools/list, one for each page. */
  readonly listPages: readonly McpExchange[]
  /** The entries of the list of tools, valid or not. */
  readonly definitions: readonly unknown[]
  readonly tools: readonly Tool[]
  private readonly line: Line
  private readonly runner: ExchangeRunner
  private readonly operations: Set<string>

  /**
   * With `reconnect`, the session continues with another process if the process of the server has
   * ended in a message, or hangs in a call of another session on the same connection: one call must
   * not hide what the others do. `operations` are those of the messages that were sent.
   */
  constructor(
    line: Line,
    handshake: McpExchange,
    listPages: readonly McpExchange[],
    runner: ExchangeRunner,
    operations = new Set<string>(),
  ) {
    this.line = line
    this.transport = line.connection.transport
    this.handshake = handshake
    this.listPages = listPages
    this.runner = runner
    this.operations = operations
    const { definitions, tools } = definitionsOf(listPages)
    this.definitions = definitions
    this.tools = tools
  }

  /** Returns the same session with another runner for its exchanges. */
  withRunner(runner: ExchangeRunner): Session {
    return new Session(this.line, this.handshake, this.listPages, runner, this.operations)
  }

  get connection(): McpConnection {
    return this.line.connection
  }

  /** Sends at once, or on a new connection if the process of the server has ended. */
  private async sendOnce(send: Send): Promise<McpExchange> {
    if (this.connection.hasEndedInMessage) await this.reconnect()
    return send(this.connection)
  }

  /** Continues on the next connection, if there is one. */
  private async reconnect(): Promise<void> {
    const { line } = this
    line.next ??= line.reconnect?.().finally(() => (line.next = undefined))
    line.connection = (await line.next) ?? line.connection
  }

  /**
   * Performs one exchange. Sends the message again on a new connection if the server did not read
   * it because it hangs in a call of another session.
   */
  private async exchange(operation: string, send: Send): Promise<McpExchange> {
    const { transport, operations } = this
    operations.add(operation)
    for (;;) {
      const { connection } = this
      const exchange = await this.runner.run({ transport, operation }, () => this.sendOnce(send))
      const { heldUpBy } = exchange
      if (heldUpBy === undefined || operations.has(heldUpBy.operation)) return exchange
      if (this.connection === connection) await this.reconnect()
      if (this.connection === connection) return exchange
    }
  }

  readonly request = (
    method: string,
    params?: unknown,
    options?: McpRequestOptions,
  ): Promise<McpExchange> =>
    this.exchange(options?.operation ?? method, (connection) =>
      connection.request(method, params, options),
    )

  readonly notify = (method: string, params?: unknown): Promise<McpExchange> =>
    this.exchange(method, (connection) => connection.notify(method, params))

  readonly send = (
    message: unknown,
    options?: Parameters<McpConnection['send']>[1],
  ): Promise<McpExchange> =>
    this.exchange(options?.operation ?? 'message', (connection) =>
      connection.send(message, options),
    )

  /**
   * Calls a tool. If the only field of the tool is the object `params`, nests the arguments in it.
   */
  readonly call = (
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
    { meta, ...options }: McpRequestOptions & { meta?: Readonly<Record<string, unknown>> } = {},
  ): Promise<McpExchange> => {
    const nested = hasNestedInput(this.tools.find(({ name }) => name === tool))
      ? { params: args }
      : args
    return this.request(
      'tools/call',
      { name: tool, arguments: nested, ...(meta === undefined ? {} : { _meta: meta }) },
      { operation: `tools/call ${tool}`, ...options },
    )
  }

  /** Whether the server declared a capability in the handshake. */
  declares(capability: string): boolean {
    const capabilities = this.handshake.result?.['capabilities'] as
      Record<string, unknown> | undefined
    return typeof capabilities?.[capability] === 'object' && capabilities[capability] !== null
  }
}
