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

/** A session of one client: a connection after its handshake. */
export class Session {
  readonly connection: McpConnection
  readonly transport: McpTransport
  readonly handshake: McpExchange
  /** The responses to tools/list, one for each page. */
  readonly listPages: readonly McpExchange[]
  /** The entries of the list of tools, valid or not. */
  readonly definitions: readonly unknown[]
  readonly tools: readonly Tool[]
  private readonly runner: ExchangeRunner

  constructor(
    connection: McpConnection,
    handshake: McpExchange,
    listPages: readonly McpExchange[],
    runner: ExchangeRunner,
  ) {
    this.connection = connection
    this.transport = connection.transport
    this.handshake = handshake
    this.listPages = listPages
    this.runner = runner
    const { definitions, tools } = definitionsOf(listPages)
    this.definitions = definitions
    this.tools = tools
  }

  /** Returns the same session with another runner for its exchanges. */
  withRunner(runner: ExchangeRunner): Session {
    return new Session(this.connection, this.handshake, this.listPages, runner)
  }

  readonly request = (
    method: string,
    params?: unknown,
    options?: McpRequestOptions,
  ): Promise<McpExchange> =>
    this.runner.run({ transport: this.transport, operation: options?.operation ?? method }, () =>
      this.connection.request(method, params, options),
    )

  readonly notify = (method: string, params?: unknown): Promise<McpExchange> =>
    this.runner.run({ transport: this.transport, operation: method }, () =>
      this.connection.notify(method, params),
    )

  readonly send = (
    message: unknown,
    options?: Parameters<McpConnection['send']>[1],
  ): Promise<McpExchange> =>
    this.runner.run({ transport: this.transport, operation: options?.operation ?? 'message' }, () =>
      this.connection.send(message, options),
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
