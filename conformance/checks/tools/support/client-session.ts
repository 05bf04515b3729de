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

/** The connection of a session. */
interface Line {
  connection: McpConnection
  /** Connects again after the process of the server has ended. */
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

  /**
   * With `reconnect`, the session continues with another process if the process of the server has
   * ended in a message: one call that ends it must not hide what the others do.
   */
  constructor(
    line: Line,
    handshake: McpExchange,
    listPages: readonly McpExchange[],
    runner: ExchangeRunner,
  ) {
    this.line = line
    this.transport = line.connection.transport
    this.handshake = handshake
    this.listPages = listPages
    this.runner = runner
    const { definitions, tools } = definitionsOf(listPages)
    this.definitions = definitions
    this.tools = tools
  }

  /** Returns the same session with another runner for its exchanges. */
  withRunner(runner: ExchangeRunner): Session {
    return new Session(this.line, this.handshake, this.listPages, runner)
  }

  get connection(): McpConnection {
    return this.line.connection
  }

  /** Sends at once, or on a new connection if the process of the server has ended. */
  private sendOn(send: (connection: McpConnection) => Promise<McpExchange>): Promise<McpExchange> {
    const { line } = this
    const { connection, reconnect } = line
    if (reconnect === undefined || !connection.hasEndedInMessage) return send(connection)
    line.next ??= reconnect().finally(() => (line.next = undefined))
    return line.next.then((next) => send((line.connection = next)))
  }

  readonly request = (
    method: string,
    params?: unknown,
    options?: McpRequestOptions,
  ): Promise<McpExchange> =>
    this.runner.run({ transport: this.transport, operation: options?.operation ?? method }, () =>
      this.sendOn((connection) => connection.request(method, params, options)),
    )

  readonly notify = (method: string, params?: unknown): Promise<McpExchange> =>
    this.runner.run({ transport: this.transport, operation: method }, () =>
      this.sendOn((connection) => connection.notify(method, params)),
    )

  readonly send = (
    message: unknown,
    options?: Parameters<McpConnection['send']>[1],
  ): Promise<McpExchange> =>
    this.runner.run({ transport: this.transport, operation: options?.operation ?? 'message' }, () =>
      this.sendOn((connection) => connection.send(message, options)),
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
