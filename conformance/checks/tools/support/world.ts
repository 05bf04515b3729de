import { CheckContext } from '../../shared/check-context.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, type Context, type Expectation, type Message } from '../../../engine/index.ts'
import type {
  McpConnectOptions,
  McpConnection,
  McpHttpRequest,
  McpInitializeOptions,
  McpTransport,
} from '../../../wire/index.ts'
import { McpExchange } from '../../../wire/mcp.ts'
import { unreadableBecauseOf } from './problems.ts'
import type { NamedCall } from './named-calls.ts'
import type { ToolsTarget } from '../target.ts'
import { transportRequirements } from './transport-requirements.ts'
import {
  isAccessDenied,
  initializeAndListTools,
  isInitialized,
  type OpenedSession,
} from './handshake.ts'
import type { ToolsMessage } from './tools-message.ts'
import type { ToolsHarness } from './harness.ts'
import type { ListedByServer } from './listed-by-server.ts'
import { isSuccess } from './results.ts'
import { Session, type ExchangeRunner, type MessageToSend } from './client-session.ts'
import type { TransportResponses } from './transport-responses.ts'

/** How many processes of a server that hangs over stdio are started for shared sessions. */
const maxHangingProcesses = 5
/** How many processes of a server over stdio are started for shared sessions. */
const maxProcesses = 200

interface ToolsOptions {
  target: ToolsTarget
  /**
   * Returns the harness: the client and the fakes that the suite runs for the server. The first
   * call opens it.
   */
  harness: () => Promise<ToolsHarness>
  /** Timeout of one exchange, in milliseconds. */
  timeout: number
  /** Returns the authentication of the server, for a check with this context. */
  authenticationFor: (context: Context<ToolsMessage>) => Authentication
  /** Collects the tools and resources that the server lists. */
  listed: ListedByServer
  responses: TransportResponses
}

/** The authentication of the server, as checks of other topics use it. */
export interface Authentication {
  /** Id of the requirement that the server serves clients with a valid token. */
  readonly servedRequirement: RequirementId
  /**
   * Ensures that all requests contain a valid token, if the server requires one. Blocks the check
   * if the suite cannot get a token.
   */
  ensureToken(): Promise<unknown>
}

/** The operations that a check of a tool server can use. Checks can destructure them. */
export class ToolsWorld extends CheckContext<ToolsMessage> {
  readonly target: ToolsTarget
  readonly timeout: number
  /** The transports that the target file configures. */
  readonly transports: readonly McpTransport[]
  readonly authentication: Authentication
  private readonly options: ToolsOptions
  private readonly openConnections: McpConnection[] = []
  private readonly recorded = new WeakSet<McpExchange>()

  constructor(context: Context<ToolsMessage>, options: ToolsOptions) {
    super(context)
    const { target, timeout, authenticationFor: authenticate } = options
    this.options = options
    this.target = target
    this.timeout = timeout
    this.transports = (['http', 'sse', 'stdio'] as const).filter(
      (transport) => target[transport] !== undefined,
    )
    this.authentication = authenticate(context)
  }

  /**
   * Returns the harness. If the server has an HTTP transport and requires a token, gets a token
   * first, even for checks that use only stdio. Blocks the check if the suite cannot get a token.
   */
  readonly harness = async (): Promise<ToolsHarness> => {
    const harness = await this.options.harness()
    if (this.transports.some((transport) => transport !== 'stdio'))
      await this.authentication.ensureToken()
    return harness
  }

  /** Blocks the check if the suite could not read a response, which another requirement reports. */
  requireReadable(message: Message): void {
    const cause = message instanceof McpExchange ? unreadableBecauseOf(message) : undefined
    if (cause !== undefined && cause !== this.context.requirement)
      throw new Blocked(cause, (message as McpExchange).summary)
  }

  protected override beforeExpecting<One extends Message>(
    message: One,
    expectations: readonly Expectation<One>[],
  ): void {
    if (!(message instanceof McpExchange)) return
    if (message.heldUpBy === undefined && unreadableBecauseOf(message) === undefined) return
    if (expectations.every(({ test }) => test(message))) return
    this.requireReadable(message)
    this.requireFreeServer(message)
  }

  /**
   * Blocks the check if the message got no response because the server hangs in a call of another
   * check on the same connection.
   */
  private requireFreeServer({ heldUpBy, summary }: McpExchange): void {
    if (heldUpBy === undefined || this.recorded.has(heldUpBy)) return
    if (this.context.requirement === 'TOOL-CALL-01') return
    throw new Blocked(
      'TOOL-CALL-01',
      `${summary}: the server still hangs in ${heldUpBy.redact.sentence(heldUpBy.operation)}, which was sent before`,
    )
  }

  /** Passes an exchange to the report and to the checks that examine every exchange, once. */
  readonly record = (exchange: McpExchange): McpExchange => {
    if (!this.recorded.has(exchange)) {
      this.recorded.add(exchange)
      this.options.listed.add(exchange)
      this.options.responses.add(exchange)
      this.context.ledger.record(exchange)
    }
    return exchange
  }

  /** Holds the upstream lock in shared mode. Waits while another check holds it exclusively. */
  private readonly sharedLockRunner: ExchangeRunner = {
    run: async (message, send) =>
      this.record(
        await (
          await this.harness()
        ).upstreamLock.runShared(() => this.sendIfResponding(message, send)),
      ),
  }
  /** Acquires no lock, for callers that hold the upstream lock exclusively or do not need it. */
  private readonly unlockedRunner: ExchangeRunner = {
    run: async (message, send) => this.record(await this.sendIfResponding(message, send)),
  }

  /**
   * Sends when the gate (the limit on concurrent requests) permits it. Ends the check if the server
   * no longer responds to such messages.
   */
  private readonly sendIfResponding = (
    message: MessageToSend,
    send: () => Promise<McpExchange>,
  ): Promise<McpExchange> =>
    this.runThroughGate(() => {
      this.options.responses.requireResponding(message, this.context.requirement)
      return send()
    })

  protected override async afterSending(result: unknown): Promise<void> {
    if (result instanceof McpExchange) await this.options.responses.requireReachable(result)
  }

  /**
   * Opens the session that all checks share, and lists the tools, once for each transport. Does
   * not block the check if the server refuses `initialize`.
   */
  readonly openSharedSession = (transport: McpTransport, turn = 1): Promise<OpenedSession> =>
    this.context.shared(`handshake ${transport}${turn === 1 ? '' : ` ${turn}`}`, async (common) => {
      const { client } = await this.harness()
      // A further process is started for a message that has passed the gate.
      const leaveGate = turn === 1 ? await common.gate.enter(common.priority) : () => {}
      try {
        return await initializeAndListTools(await client.connect(transport), (exchange) => {
          this.options.listed.add(exchange)
          common.ledger.record(exchange)
        })
      } finally {
        leaveGate()
      }
    })

  /**
   * The session that all checks share on a transport. Blocks the check if the transport does not
   * work.
   */
  readonly session = async (transport: McpTransport): Promise<Session> => {
    const { connection, handshake, listPages } = await this.openWorkingSession(transport)
    await this.options.responses.requireReachable(handshake)
    if (!isInitialized(handshake)) throw this.blockedByHandshake(connection, handshake)
    const reconnect = async () => (await this.openWorkingSession(transport)).connection
    return new Session({ connection, reconnect }, handshake, listPages, this.sharedLockRunner)
  }

  /**
   * Opens the shared session. Over stdio, if the server hangs in a call, or if its process has
   * ended in one, starts another process: one tool must not hide what the others do.
   */
  private async openWorkingSession(transport: McpTransport): Promise<OpenedSession> {
    for (let turn = 1, hanging = 0; ; turn += 1) {
      const opened = await this.openSharedSession(transport, turn)
      const { connection, listPages } = opened
      hanging += connection.hangsIn === undefined ? 0 : 1
      const isOver = connection.hasEndedInMessage && listPages.at(-1)?.result !== undefined
      if (transport !== 'stdio' || (connection.hangsIn === undefined && !isOver)) return opened
      if (hanging === maxHangingProcesses || turn === maxProcesses) return opened
    }
  }

  /** The error for a failed handshake, with its cause: a refused token or a broken transport. */
  private blockedByHandshake(connection: McpConnection, handshake: McpExchange): Blocked {
    return new Blocked(
      isAccessDenied(connection, handshake)
        ? this.authentication.servedRequirement
        : transportRequirements[handshake.transport],
      handshake.summary,
    )
  }

  /**
   * Runs `work` on all usable transports at the same time. Skips broken transports, because other
   * checks report them. If all transports are broken, the check is blocked.
   */
  readonly onEachTransport = async <T>(
    work: (session: Session) => Promise<T>,
    candidates: readonly McpTransport[] = this.transports,
  ): Promise<T[]> => {
    const sessions = await Promise.allSettled(
      candidates.map((transport) => this.session(transport)),
    )
    const usable = sessions.filter((session) => session.status === 'fulfilled')
    const failed = sessions.find((session) => session.status === 'rejected')
    if (usable.length === 0 && failed !== undefined) throw failed.reason
    const results = await Promise.allSettled(usable.map(({ value }) => work(value)))
    const broken = results.find((one) => one.status === 'rejected')
    if (broken !== undefined) throw broken.reason
    return results.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  }

  /** Runs `work` on the first usable transport of the target file. */
  readonly onOneTransport = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    for (const transport of this.transports)
      if (isInitialized((await this.openSharedSession(transport)).handshake))
        return work(await this.session(transport))
    return work(await this.session(this.transports[0]!))
  }

  /** Opens a connection for this check only, without a handshake. It is closed after the check. */
  readonly connect = async (
    transport: McpTransport,
    options: McpConnectOptions = {},
  ): Promise<McpConnection> => {
    const { client } = await this.harness()
    const connection = await this.runThroughGate(() =>
      client.connect(transport, { onExchange: this.record, ...options }),
    )
    this.openConnections.push(connection)
    return connection
  }

  /**
   * Opens a session for this check only. It is closed after the check. Blocks the check if the
   * transport does not work.
   */
  readonly openSession = async (
    transport: McpTransport,
    {
      onRequest,
      headers,
      reconnects = false,
      ...initialize
    }: McpConnectOptions & McpInitializeOptions & { reconnects?: boolean } = {},
  ): Promise<Session> => {
    const { listPages } = await this.session(transport)
    const connection = await this.connect(transport, { onRequest, headers })
    const handshake = await this.sendIfResponding({ transport, operation: 'initialize' }, () =>
      connection.initialize(initialize),
    )
    if (!isInitialized(handshake)) throw this.blockedByHandshake(connection, handshake)
    const reconnect = async () => {
      const { client } = await this.harness()
      const next = await client.connect(transport, { onExchange: this.record, onRequest, headers })
      this.openConnections.push(next)
      await next.initialize(initialize)
      return next
    }
    return new Session(
      { connection, reconnect: reconnects ? reconnect : undefined },
      handshake,
      listPages,
      this.sharedLockRunner,
    )
  }

  /** Sends the server an HTTP request outside of any session. */
  readonly sendHttp = async (request: McpHttpRequest): Promise<McpExchange> => {
    const { client } = await this.harness()
    return this.record(await this.runThroughGate(() => client.http(request)))
  }

  /**
   * Holds the upstream lock exclusively while the work runs, so that only this check causes
   * requests to the upstream. Calls on the session that `work` receives do not wait for the lock.
   */
  readonly withExclusiveUpstream = async <T>(
    session: Session,
    work: (session: Session) => Promise<T>,
  ): Promise<T> => {
    const { upstreamLock } = await this.harness()
    return this.context.ledger.track(
      upstreamLock.runExclusive(() => work(session.withRunner(this.unlockedRunner))),
    )
  }

  /** Returns the session with calls that do not wait for the upstream lock. */
  readonly withoutLock = (session: Session): Session => session.withRunner(this.unlockedRunner)

  /**
   * Makes a call that must succeed according to the target file. If it fails, the check is blocked
   * by TOOL-CALL-01.
   */
  readonly callOrBlock = async (
    session: Session,
    { tool, arguments: args }: NamedCall,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<McpExchange> => {
    const exchange = await session.call(tool, { ...args, ...more })
    if (!isSuccess(exchange)) throw new Blocked('TOOL-CALL-01', exchange.summary)
    return exchange
  }

  /**
   * Returns the value that all checks of the run share under this name. The first call creates it.
   */
  readonly shared = <T>(name: string, make: (world: ToolsWorld) => Promise<T>): Promise<T> =>
    this.context.shared(name, (common) => make(new ToolsWorld(common, this.options)))

  /** Closes the connections that this check has opened. */
  readonly closeConnections = async (): Promise<void> =>
    void (await Promise.all(this.openConnections.map((connection) => connection.close())))
}
