import type {
  McpConnection,
  McpExchange,
  McpRequestOptions,
  McpTransport,
} from '../../../wire/index.ts'
import { definitionsOf, nests, type Tool } from './tool.ts'

/** What a session tells of each exchange, and how it sends. */
export interface Sending {
  /** Lets one exchange through the gate, and notes it. */
  pass(send: () => Promise<McpExchange>): Promise<McpExchange>
}

/** One client's session: a connection after its handshake. */
export class Session {
  readonly connection: McpConnection
  readonly transport: McpTransport
  /** The answer to the handshake. */
  readonly handshake: McpExchange
  /** Every part of the list of tools, as it was answered; more than one where a cursor was followed. */
  readonly lists: readonly McpExchange[]
  /** The entries of the list of tools, whatever they are. */
  readonly definitions: readonly unknown[]
  readonly tools: readonly Tool[]
  private readonly sending: Sending

  constructor(
    connection: McpConnection,
    handshake: McpExchange,
    lists: readonly McpExchange[],
    sending: Sending,
  ) {
    this.connection = connection
    this.transport = connection.transport
    this.handshake = handshake
    this.lists = lists
    this.sending = sending
    const { definitions, tools } = definitionsOf(lists)
    this.definitions = definitions
    this.tools = tools
  }

  /** The same session, noting its exchanges elsewhere. */
  with(sending: Sending): Session {
    return new Session(this.connection, this.handshake, this.lists, sending)
  }

  /** Sends a request; its exchange is noted. */
  readonly request = (
    method: string,
    params?: unknown,
    options?: McpRequestOptions,
  ): Promise<McpExchange> =>
    this.sending.pass(() => this.connection.request(method, params, options))

  readonly notify = (method: string, params?: unknown): Promise<McpExchange> =>
    this.sending.pass(() => this.connection.notify(method, params))

  readonly send = (
    message: unknown,
    options?: Parameters<McpConnection['send']>[1],
  ): Promise<McpExchange> => this.sending.pass(() => this.connection.send(message, options))

  /** Calls a tool. Where all its input stands in one field `params`, the arguments are put there. */
  readonly call = (
    tool: string,
    given: Readonly<Record<string, unknown>> = {},
    { meta, ...options }: McpRequestOptions & { meta?: Readonly<Record<string, unknown>> } = {},
  ): Promise<McpExchange> => {
    const nested = nests(this.tools.find(({ name }) => name === tool)) ? { params: given } : given
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
