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
import type { NamedCall } from './access.ts'
import type { ToolsTarget } from '../target.ts'
import { serving } from './serving.ts'
import { isTurnedAway, listTools, serves, type Handshake } from './handshake.ts'
import type { ToolsMessage } from './tools-message.ts'
import type { ToolsHarness } from './harness.ts'
import { isSuccess } from './results.ts'
import { Session, type Sending } from './client-session.ts'

interface ToolsOptions {
  access: ToolsTarget
  /** Opened when the first check asks for it. */
  harness: () => Promise<ToolsHarness>
  /** Milliseconds that one exchange may take. */
  timeout: number
  /** How the server knows who comes, as a check with this context sees it. */
  authenticate: (context: Context<ToolsMessage>) => Authentication
}

/** What checks that do not judge authentication need of it. */
export interface Authentication {
  /** The requirement that says that callers who may come are served. */
  readonly served: RequirementId
  /** Sees to it that requests carry a good token. Blocks the check if none can be had. */
  bearer(): Promise<unknown>
}

/** What a check acts with that judges a tool server. Its functions can be taken out of it one by one. */
export class ToolsWorld extends CheckContext<ToolsMessage> {
  readonly access: ToolsTarget
  readonly timeout: number
  /** The transports that the target file names. */
  readonly transports: readonly McpTransport[]
  readonly authentication: Authentication
  private readonly options: ToolsOptions
  private readonly opened: McpConnection[] = []
  private readonly noted = new WeakSet<McpExchange>()

  constructor(context: Context<ToolsMessage>, options: ToolsOptions) {
    super(context)
    const { access, timeout, authenticate } = options
    this.options = options
    this.access = access
    this.timeout = timeout
    this.transports = (['http', 'sse', 'stdio'] as const).filter(
      (transport) => access[transport] !== undefined,
    )
    this.authentication = authenticate(context)
  }

  /** With the token that is asked for. Blocks the check where none can be had. */
  readonly harness = async (): Promise<ToolsHarness> => {
    const harness = await this.options.harness()
    if (this.transports.some((transport) => transport !== 'stdio'))
      await this.authentication.bearer()
    return harness
  }

  /** Shows an exchange to the checks that watch, and to the report. */
  readonly note = (exchange: McpExchange): McpExchange => {
    if (!this.noted.has(exchange)) {
      this.noted.add(exchange)
      this.context.ledger.record(exchange)
    }
    return exchange
  }

  /** How exchanges are sent: beside others, unless somebody wants to be alone with the upstream. */
  private readonly sending: Sending = {
    pass: async (send) =>
      this.note(await (await this.harness()).turns.runShared(() => this.runThroughGate(send))),
  }
  /** The same for whoever is alone already, or needs not care. */
  private readonly unbound: Sending = {
    pass: async (send) => this.note(await this.runThroughGate(send)),
  }

  /** The handshake of a session that all checks share, and the list of tools; made once for each transport. */
  readonly handshake = (transport: McpTransport): Promise<Handshake> =>
    this.context.shared(`handshake ${transport}`, async (common) => {
      const { door } = await this.harness()
      const leave = await common.gate.enter(common.priority)
      try {
        return await listTools(await door.connect(transport), (exchange) =>
          common.ledger.record(exchange),
        )
      } finally {
        leave()
      }
    })

  /** The session that all checks share on a transport. Blocks the check where the transport does not serve. */
  readonly session = async (transport: McpTransport): Promise<Session> => {
    const { connection, handshake, lists } = await this.handshake(transport)
    if (!serves(handshake)) throw this.blocked(connection, handshake)
    return new Session(connection, handshake, lists, this.sending)
  }

  /** Why nothing works on a transport: whoever may come is not let in, or it does not serve. */
  private blocked(connection: McpConnection, handshake: McpExchange): Blocked {
    return new Blocked(
      isTurnedAway(connection, handshake)
        ? this.authentication.served
        : serving[handshake.transport],
      handshake.summary,
    )
  }

  /** Plays on every transport that serves, at the same time. Blocks the check where none does. */
  readonly each = async <T>(
    play: (session: Session) => Promise<T>,
    among: readonly McpTransport[] = this.transports,
  ): Promise<T[]> => {
    const sessions = await Promise.allSettled(among.map((transport) => this.session(transport)))
    const usable = sessions.filter((session) => session.status === 'fulfilled')
    const failed = sessions.find((session) => session.status === 'rejected')
    if (usable.length === 0 && failed !== undefined) throw failed.reason
    const played = await Promise.allSettled(usable.map(({ value }) => play(value)))
    const broken = played.find((one) => one.status === 'rejected')
    if (broken !== undefined) throw broken.reason
    return played.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  }

  /** One transport that serves: the first of those that the target file names. */
  readonly one = async <T>(play: (session: Session) => Promise<T>): Promise<T> => {
    for (const transport of this.transports)
      if (serves((await this.handshake(transport)).handshake))
        return play(await this.session(transport))
    return play(await this.session(this.transports[0]!))
  }

  /** A connection of this check's own, without a handshake. It ends with the check. */
  readonly connect = async (
    transport: McpTransport,
    options: McpConnectOptions = {},
  ): Promise<McpConnection> => {
    const { door } = await this.harness()
    const connection = await this.runThroughGate(() =>
      door.connect(transport, { onExchange: this.note, ...options }),
    )
    this.opened.push(connection)
    return connection
  }

  /** A session of this check's own. It ends with the check. Blocks the check where the transport does not serve. */
  readonly open = async (
    transport: McpTransport,
    { onRequest, headers, ...initialize }: McpConnectOptions & McpInitializeOptions = {},
  ): Promise<Session> => {
    const { lists } = await this.session(transport)
    const connection = await this.connect(transport, { onRequest, headers })
    const handshake = await this.runThroughGate(() => connection.initialize(initialize))
    if (!serves(handshake)) throw this.blocked(connection, handshake)
    return new Session(connection, handshake, lists, this.sending)
  }

  /** A bare HTTP request to the server. */
  readonly http = async (request: McpHttpRequest): Promise<McpExchange> => {
    const { door } = await this.harness()
    return this.note(await this.runThroughGate(() => door.http(request)))
  }

  /** Alone with the upstream: nobody else calls a tool meanwhile. What is called on `session` here goes out at once. */
  readonly alone = async <T>(
    session: Session,
    work: (session: Session) => Promise<T>,
  ): Promise<T> => {
    const { turns } = await this.harness()
    return this.context.ledger.track(turns.runExclusive(() => work(session.with(this.unbound))))
  }

  /** A session whose calls do not wait for whoever is alone: for those that take long. */
  readonly unhurried = (session: Session): Session => session.with(this.unbound)

  /** Calls a tool of which the target file says that this works. Where it does not, the check is blocked by the row that says that tools can be called. */
  readonly given = async (
    session: Session,
    { tool, arguments: given }: NamedCall,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<McpExchange> => {
    const exchange = await session.call(tool, { ...given, ...more })
    if (!isSuccess(exchange)) throw new Blocked('TOOL-CALL-01', exchange.summary)
    return exchange
  }

  /** Makes something once in a run, whoever asks first. */
  readonly shared = <T>(name: string, make: (world: ToolsWorld) => Promise<T>): Promise<T> =>
    this.context.shared(name, (common) => make(new ToolsWorld(common, this.options)))

  /** Ends what this check has opened. */
  readonly leave = async (): Promise<void> =>
    void (await Promise.all(this.opened.map((connection) => connection.close())))
}
