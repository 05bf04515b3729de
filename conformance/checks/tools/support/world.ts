import { CheckContext } from '../../shared/check-context.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, type Context } from '../../../engine/index.ts'
import type {
  McpConnectOptions,
  McpConnection,
  McpExchange,
  McpHttpRequest,
  McpInitializeOptions,
  McpTransport,
} from '../../../wire/index.ts'
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
import { isSuccess } from './results.ts'
import { Session, type ExchangeRunner } from './client-session.ts'

interface ToolsOptions {
  target: ToolsTarget
  /** Opens the harness on the first call, and returns the same one afterwards. */
  harness: () => Promise<ToolsHarness>
  /** Timeout of one exchange, in milliseconds. */
  timeout: number
  /** The authentication of the server, for a check with this context. */
  authenticationFor: (context: Context<ToolsMessage>) => Authentication
}

/** What checks use of authentication if they do not judge it. */
export interface Authentication {
  /** The requirement that a server serves clients with a valid token. */
  readonly servedRequirement: RequirementId
  /** Makes requests carry a valid token. Blocks the check if the suite cannot get one. */
  ensureToken(): Promise<unknown>
}

/** What a check of a tool server acts with. Checks can destructure its functions. */
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
   * The harness, with a valid token if the server requires one. Blocks the check if the suite
   * cannot get a token.
   */
  readonly harness = async (): Promise<ToolsHarness> => {
    const harness = await this.options.harness()
    if (this.transports.some((transport) => transport !== 'stdio'))
      await this.authentication.ensureToken()
    return harness
  }

  /** Passes an exchange to the watching checks and to the report, once. */
  readonly record = (exchange: McpExchange): McpExchange => {
    if (!this.recorded.has(exchange)) {
      this.recorded.add(exchange)
      this.context.ledger.record(exchange)
    }
    return exchange
  }

  /** Holds the upstream lock shared, so it waits while another check holds it exclusively. */
  private readonly sharedLockRunner: ExchangeRunner = {
    run: async (send) =>
      this.record(
        await (await this.harness()).upstreamLock.runShared(() => this.runThroughGate(send)),
      ),
  }
  /** For callers that hold the upstream lock exclusively, or that do not depend on it. */
  private readonly unlockedRunner: ExchangeRunner = {
    run: async (send) => this.record(await this.runThroughGate(send)),
  }

  /**
   * Opens the session that all checks share and lists the tools, once for each transport.
   */
  readonly openSharedSession = (transport: McpTransport): Promise<OpenedSession> =>
    this.context.shared(`handshake ${transport}`, async (common) => {
      const { client } = await this.harness()
      const closeConnections = await common.gate.enter(common.priority)
      try {
        return await initializeAndListTools(await client.connect(transport), (exchange) =>
          common.ledger.record(exchange),
        )
      } finally {
        closeConnections()
      }
    })

  /**
   * The session that all checks share on a transport. Blocks the check if the transport does not
   * work.
   */
  readonly session = async (transport: McpTransport): Promise<Session> => {
    const { connection, handshake, listPages } = await this.openSharedSession(transport)
    if (!isInitialized(handshake)) throw this.blockedByHandshake(connection, handshake)
    return new Session(connection, handshake, listPages, this.sharedLockRunner)
  }

  /** The requirement that explains a failed handshake: a refused token, or a broken transport. */
  private blockedByHandshake(connection: McpConnection, handshake: McpExchange): Blocked {
    return new Blocked(
      isAccessDenied(connection, handshake)
        ? this.authentication.servedRequirement
        : transportRequirements[handshake.transport],
      handshake.summary,
    )
  }

  /**
   * Runs work on every transport that works, at the same time. Blocks the check if none does: a
   * broken transport is reported by its own requirement.
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

  /** Runs work on the first configured transport that works. */
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
    { onRequest, headers, ...initialize }: McpConnectOptions & McpInitializeOptions = {},
  ): Promise<Session> => {
    const { listPages } = await this.session(transport)
    const connection = await this.connect(transport, { onRequest, headers })
    const handshake = await this.runThroughGate(() => connection.initialize(initialize))
    if (!isInitialized(handshake)) throw this.blockedByHandshake(connection, handshake)
    return new Session(connection, handshake, listPages, this.sharedLockRunner)
  }

  /** Sends an HTTP request to the server that is not a message of a session. */
  readonly sendHttp = async (request: McpHttpRequest): Promise<McpExchange> => {
    const { client } = await this.harness()
    return this.record(await this.runThroughGate(() => client.http(request)))
  }

  /**
   * Holds the upstream lock exclusively while the work runs, so that every request to the upstream
   * is caused by this check. Calls on the session that `work` receives do not wait for the lock.
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

  /** A session whose calls do not wait for the upstream lock: for calls that last long. */
  readonly withoutLock = (session: Session): Session => session.withRunner(this.unlockedRunner)

  /**
   * Makes a call that succeeds according to the target file. Otherwise TOOL-CALL-01 blocks the
   * check.
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

  /** Makes a value on the first call, which all checks of the run share. */
  readonly shared = <T>(name: string, make: (world: ToolsWorld) => Promise<T>): Promise<T> =>
    this.context.shared(name, (common) => make(new ToolsWorld(common, this.options)))

  /** Closes the connections that this check has opened. */
  readonly leave = async (): Promise<void> =>
    void (await Promise.all(this.openConnections.map((connection) => connection.close())))
}
