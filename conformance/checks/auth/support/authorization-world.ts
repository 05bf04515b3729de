import type { Decision } from '../../../wire/oauth/button-meaning.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  Blocked,
  labelled,
  NotCovered,
  RateLimited,
  type Context,
  type Expectation,
} from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { HttpWorld, type HttpWorldOptions } from '../../shared/http-world.ts'
import type { ToolsTarget, ToolsNeed } from '../../tools/target.ts'
import type { ToolsMessage } from '../../tools/support/tools-message.ts'
import type { ToolsHarness } from '../../tools/support/harness.ts'
import type { AuthTarget, Pattern } from '../../tools/authentication.ts'
import { buildAuthorizationRequest, type FlowRequest, type Changes } from './flow-request.ts'
import {
  clientIn,
  configuredClient,
  publicMetadata,
  newClientRegistration,
  type Client,
} from './client.ts'
import {
  readEndpoints,
  metadataIn,
  newMetadataRequests,
  authorizationRootOf,
  type Endpoints,
} from './endpoints.ts'
import {
  buildCodeExchange,
  buildRefreshRequest,
  tokensIn,
  type Grant,
  type Tokens,
} from './grant.ts'
import { KnownValues } from './known-values.ts'
import { sharedNames, type ClientAuthentication, type ClientPool } from './client-pool.ts'
import { responseRulesOf, accessRequirements } from './response-rules.ts'
import {
  codeIn,
  runConsentProgram,
  runAuthorizationFlow,
  type FlowOptions,
  type AuthorizationFlow,
} from './authorization-flow.ts'

export interface AuthOptions extends Omit<HttpWorldOptions, 'prefix'> {
  target: ToolsTarget
  knownValues: KnownValues
  pool: ClientPool
  harness: () => Promise<ToolsHarness>
}

/** A registration request and its response. */
export interface Registration {
  readonly request: HttpRequest
  readonly response: HttpExchange
}

/** Statuses with which servers refuse registrations beyond a limit. */
const limitStatuses: readonly (number | undefined)[] = [403, 429, 503]

/** A client that a check uses alone. */
interface Lease {
  readonly method: ClientAuthentication | undefined
  readonly client: Promise<Client>
}

/**
 * The operations of checks at the authorization server: with clients, authorization flows, codes
 * and tokens.
 */
export abstract class AuthorizationWorld extends HttpWorld<ToolsMessage> {
  readonly target: ToolsTarget
  readonly auth: AuthTarget
  readonly pattern: Pattern
  /**
   * The generated and received values of the run. Every value that a request can contain must be
   * added.
   */
  readonly knownValues: KnownValues
  /** The requirement that callers with valid credentials are served. */
  readonly servedRequirement: RequirementId
  protected readonly options: AuthOptions
  private lease: Lease | undefined
  private readonly releases: (() => void)[] = []

  constructor(context: Context<ToolsMessage>, options: AuthOptions) {
    const auth: AuthTarget = options.target.auth ?? { pattern: 'none' }
    super(context, responseRulesOf(auth.pattern), {
      ...options,
      prefix: 'touchstone-nothing-',
      onExchange: (response) => options.knownValues.collectFrom(response),
    })
    this.options = options
    this.target = options.target
    this.auth = auth
    this.pattern = auth.pattern
    this.knownValues = options.knownValues
    this.servedRequirement = accessRequirements[auth.pattern]
  }

  protected override maskGenerated(value: string): string {
    return this.knownValues.maskGenerated(value)
  }

  /** Sends a request that must be refused, together with its contrast. */
  readonly expectRefused = this.expectRefusedWithContrast.bind(this)

  /** Makes a value once in a run, for all checks that use the name. */
  abstract readonly shared: <T>(
    name: string,
    make: (world: AuthorizationWorld) => Promise<T>,
  ) => Promise<T>

  readonly harness = (): Promise<ToolsHarness> => this.options.harness()

  readonly findEndpoints = (): Promise<Endpoints> =>
    this.shared('endpoints', async ({ send, auth, target }) => {
      const root = authorizationRootOf(auth, target)
      for (const request of newMetadataRequests(root)) {
        const response = await send(request)
        if (metadataIn(response) !== undefined) return readEndpoints(root, response)
      }
      return readEndpoints(root, undefined)
    })

  /**
   * A request to register a client without a secret. `metadata` is merged in; a member that is
   * undefined is left out.
   */
  readonly newRegistrationRequest = async (
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<HttpRequest> => {
    if (this.auth.registration === false)
      throw new NotCovered<ToolsNeed>('clients may not register themselves', [
        'tools.auth.registration',
      ])
    const { register } = await this.findEndpoints()
    return this.newRegistrationRequestAt(register, {
      ...this.redirectMetadata(await this.harness()),
      ...metadata,
    })
  }

  /** A registration request to any URL, even if clients may not register themselves. */
  readonly newRegistrationRequestAt = (
    register: string,
    metadata: Readonly<Record<string, unknown>>,
  ): HttpRequest => newClientRegistration(register, publicMetadata(metadata))

  /**
   * Sends a registration request. Ends the check if the server registers no more clients for now
   * (RFC 7591 §3).
   *
   * @see https://www.rfc-editor.org/rfc/rfc7591#section-3
   */
  readonly sendRegistration = async (request: HttpRequest): Promise<HttpExchange> => {
    this.requireNoLimit()
    try {
      const response = await this.send(request)
      await this.requireUnlimited(response)
      if (response.status === 201) this.options.pool.accepted ??= request
      return response
    } catch (error) {
      throw error instanceof RateLimited ? this.newLimit('status 429') : error
    }
  }

  /** The registration of the client with this name, whatever its outcome, sent once in a run. */
  readonly registrationOf = (
    name: string,
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<Registration> =>
    this.shared(`registration ${name}`, async (common) => {
      const request = await common.newRegistrationRequest({
        client_name: `Touchstone, ${name}`,
        ...metadata,
      })
      return { request, response: await common.sendRegistration(request) }
    })

  /**
   * Expects that a registration is refused which differs only in `changes` from one that the server
   * accepted. The request with this label is sent once in a run.
   */
  readonly expectRegistrationRefused = async (
    label: string,
    { request, response }: Registration,
    changes: Readonly<Record<string, unknown>>,
    ...expectations: Expectation<HttpExchange>[]
  ): Promise<HttpExchange> => {
    if (clientIn(response, {}) === undefined)
      throw new Blocked('AUTH-REGISTER-01', response.summary)
    const refused = await this.shared(`registration with ${label}`, (common) =>
      common.sendWrongRegistration(request, changes),
    )
    this.context.ledger.difference = `from an accepted request only in ${refused.factor}`
    this.expect(refused.response, ...expectations.map((one) => labelled(label, one)))
    return refused.response
  }

  private async sendWrongRegistration(
    accepted: HttpRequest,
    changes: Readonly<Record<string, unknown>>,
  ): Promise<{ factor: string; response: HttpExchange }> {
    this.requireNoLimit()
    const metadata = accepted.body?.kind === 'json' ? (accepted.body.value as object) : {}
    const request: HttpRequest = {
      ...accepted,
      meaning: 'invalid',
      body: { kind: 'json', value: { ...metadata, ...changes } },
    }
    const factor = this.onlyDifference(request, accepted)
    const response = await this.sendUnrecorded(request, { isRefusal: true })
    await this.requireUnlimited(response)
    return { factor, response: this.recordIfJudgeable(response) }
  }

  /**
   * Ends the check if a registration was refused because of a limit, not because of its content:
   * then the server also refuses one like that which it accepted before.
   */
  private async requireUnlimited({ status }: HttpExchange): Promise<void> {
    if (!limitStatuses.includes(status)) return
    if (status !== 429 && !(await this.refusesEveryRegistration(status))) return
    throw this.newLimit(`status ${status}`)
  }

  private async refusesEveryRegistration(status: number | undefined): Promise<boolean> {
    const { accepted } = this.options.pool
    if (accepted?.body?.kind !== 'json') return false
    const metadata = { ...(accepted.body.value as object), client_name: 'Touchstone, once more' }
    const response = await this.send({ ...accepted, body: { kind: 'json', value: metadata } })
    return response.status === status
  }

  private requireNoLimit(): void {
    const { limit } = this.options.pool
    if (limit !== undefined) throw this.newLimit(limit)
  }

  private newLimit(reason: string): NotCovered<ToolsNeed> {
    this.options.pool.limit = reason
    return new NotCovered<ToolsNeed>(
      `the server registers no more clients for now: ${reason}. With a client of the target file the suite registers fewer`,
      ['tools.auth.clientId'],
    )
  }

  /**
   * The client with the given name, registered once in a run. Its metadata contains the name,
   * because a server may return the same client for the same metadata (RFC 7591 §3.2.1). The
   * default client, `public`, is the client of the target file, if the target file names one.
   */
  readonly getClient = (
    name = 'public',
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<Client> =>
    this.shared(`client ${name}`, async (common) => {
      const configured = name === 'public' ? await common.findConfiguredClient() : undefined
      if (configured !== undefined) return configured
      const { request, response } = await common.registrationOf(name, metadata)
      const client = clientIn(
        response,
        request.body?.kind === 'json' ? (request.body.value as Record<string, unknown>) : {},
      )
      if (client === undefined)
        throw new Blocked('AUTH-REGISTER-01', `register returned ${response.summary}`)
      if (client.secret !== undefined) common.knownValues.add(client.secret, 'secret')
      return client
    })

  /** The client of the target file; undefined if it names none. */
  private async findConfiguredClient(): Promise<Client | undefined> {
    const { metadata } = await this.findEndpoints()
    return configuredClient(
      this.auth,
      (metadata === undefined ? undefined : metadataIn(metadata))?.[
        'token_endpoint_auth_methods_supported'
      ],
    )
  }

  /**
   * A client that no other check uses before this one ends or waits for other verdicts, because a
   * server may revoke a client's earlier grants when the user approves it again. A check has one
   * such client. It is the client of the target file, if that has the method, or if clients may not
   * register themselves; otherwise one of few that checks take turns to use. Without `method`, any
   * method will do. A check must not wait for a stage while it has such a client.
   */
  readonly leaseClient = (method?: ClientAuthentication): Promise<Client> => {
    if (this.lease !== undefined && method !== undefined && this.lease.method !== method)
      throw new Error('a check has one client of its own, but asks for another one')
    this.lease ??= { method, client: this.waitForClient(method) }
    return this.lease.client
  }

  /** Another client like that which the check uses alone; undefined if there is none. */
  readonly findOtherClient = async (client: Client): Promise<Client | undefined> => {
    if (this.auth.registration === false) return undefined
    const { method = 'none' } = this.lease ?? {}
    for (const name of this.options.pool.names(method)) {
      const other = await this.getSharedClient(name, method)
      if (other !== client) return other
    }
    return undefined
  }

  private async waitForClient(method: ClientAuthentication | undefined): Promise<Client> {
    const { pool } = this.options
    const configured = await this.findConfiguredClient()
    const usesConfigured =
      this.auth.registration === false ||
      (configured !== undefined && (method ?? configured.method) === configured.method)
    let lastError: Blocked | NotCovered | undefined
    for (;;) {
      const name = pool.take(usesConfigured ? ['public'] : pool.names(method ?? 'none'))
      if (name === undefined) {
        this.requireNoLimit()
        throw lastError ?? new Blocked('AUTH-REGISTER-01', 'no client was registered')
      }
      const release = await this.lockClient(name)
      try {
        return await (usesConfigured
          ? this.getClient()
          : this.getSharedClient(name, method ?? 'none'))
      } catch (error) {
        release()
        if (usesConfigured || !(error instanceof NotCovered || error instanceof Blocked))
          throw error
        // If one registration is refused, the clients that the server has registered must do.
        pool.refuse(name)
        lastError = error
      }
    }
  }

  private getSharedClient(name: string, method: ClientAuthentication): Promise<Client> {
    return this.getClient(name, { token_endpoint_auth_method: method })
  }

  /** The registration of a client that checks take turns to use. */
  readonly sharedRegistration = (method: ClientAuthentication): Promise<Registration> =>
    this.registrationOf(sharedNames[method][0], { token_endpoint_auth_method: method })

  /** Waits until no other check uses the client. Returns a function that ends the use. */
  private async lockClient(name: string): Promise<() => void> {
    let end!: () => void
    const ended = new Promise<void>((resolve) => (end = resolve))
    await new Promise<void>((locked, reject) => {
      this.context
        .withLock(`the client ${name}`, () => {
          locked()
          return ended
        })
        .catch(reject)
    })
    let isUsed = true
    const release = () => {
      if (!isUsed) return
      isUsed = false
      this.options.pool.giveBack(name)
      end()
    }
    this.releases.push(release)
    return release
  }

  /** Lets other checks use this check's client. */
  readonly releaseClient = (): void => {
    for (const release of this.releases.splice(0)) release()
  }

  protected override beforeWaiting(): void {
    // A check for whose verdict this one waits may need the client.
    this.releaseClient()
  }

  /**
   * The client of a request if the check selects no client: that which it uses alone, or `public`
   * for a value that several checks share.
   */
  private defaultClient(): Promise<Client> {
    return this.context.requirement === undefined ? this.getClient() : this.leaseClient()
  }

  /**
   * A valid authorization request, except for `changes`; by default of the check's own client.
   */
  readonly newAuthorizationRequest = async (
    changes: Changes = {},
    client?: Client,
  ): Promise<FlowRequest> =>
    buildAuthorizationRequest(
      (await this.findEndpoints()).authorize,
      client ?? (await this.defaultClient()),
      this.auth,
      this.knownValues,
      changes,
    )

  /**
   * Runs an authorization flow in a new browser, or with the consent program of the target file.
   */
  readonly runFlow = async (
    authorization: FlowRequest,
    decision: Decision = 'approve',
    options: FlowOptions = {},
  ): Promise<AuthorizationFlow> => {
    const { identity, user } = await this.harness()
    const flow = await (user === undefined
      ? runAuthorizationFlow({
          authorization,
          decision,
          auth: this.auth,
          identity,
          send: this.send,
          ...options,
        })
      : runConsentProgram(user.program, authorization, decision, this.signal))
    const code = codeIn(flow)
    if (code !== undefined) this.knownValues.add(code, 'code')
    return flow
  }

  /**
   * Records the difference between a request and one that led to a code. Throws if it is not a
   * single factor.
   */
  readonly recordDifference = (contrast: HttpRequest, request: HttpRequest): void => {
    const factor = this.onlyDifference(request, contrast)
    this.context.ledger.difference = `only in ${factor} from a request that leads to a code`
  }

  /** Obtains a code that a user has approved. Without one, AUTH-AUTHORIZE-01 blocks the check. */
  readonly obtainGrant = async (changes: Changes = {}, client?: Client): Promise<Grant> => {
    const authorization = await this.newAuthorizationRequest(changes, client)
    const flow = await this.runFlow(authorization)
    const code = codeIn(flow)
    if (code === undefined) throw new Blocked('AUTH-AUTHORIZE-01', flow.summary)
    return { client: authorization.client, authorization, flow, code }
  }

  /**
   * A request that exchanges a code for tokens. In `changes`, undefined leaves a field out and an
   * array repeats it.
   */
  readonly newTokenRequest = async (
    grant: Grant,
    changes: Changes = {},
    client: Client = grant.client,
  ): Promise<HttpRequest> =>
    this.withSecretCredential(
      buildCodeExchange((await this.findEndpoints()).token, grant, client, changes),
      client,
    )

  /** A request that exchanges a refresh token for new tokens. */
  readonly newRefreshRequest = async (
    tokens: Tokens,
    changes: Changes = {},
    client: Client = tokens.grant.client,
  ): Promise<HttpRequest> =>
    this.withSecretCredential(
      buildRefreshRequest((await this.findEndpoints()).token, tokens, client, changes),
      client,
    )

  /** Adds the `Authorization` header of a client to the secrets. */
  private withSecretCredential(request: HttpRequest, { id, secret }: Client): HttpRequest {
    // Only real credentials are secrets. A wrong one must not be masked as `<secret>` too, because
    // then it would not differ from the right one.
    const isRegistered =
      id === this.auth.clientId || this.knownValues.clients.some((client) => client.id === id)
    if (
      !isRegistered ||
      secret === undefined ||
      (this.knownValues.maskGenerated(secret) === secret && secret !== this.auth.clientSecret)
    )
      return request
    const [, credential] = /^Basic (.+)$/.exec(request.headers?.['Authorization'] ?? '') ?? []
    if (credential !== undefined) this.knownValues.add(credential, 'secret')
    return request
  }

  /** Obtains tokens from a new grant. Blocks the check if there are none. */
  readonly obtainTokens = async (changes: Changes = {}, client?: Client): Promise<Tokens> => {
    const grant = await this.obtainGrant(changes, client)
    const response = await this.sendOrBlock(await this.newTokenRequest(grant))
    return this.readTokens(response, grant)
  }

  /**
   * Reads the tokens of a response, and adds them to the known values. Blocks the check if there
   * are none.
   */
  readonly readTokens = (response: HttpExchange, grant: Grant): Tokens => {
    const tokens = tokensIn(response, grant)
    if (tokens === undefined) throw new Blocked('AUTH-TOKEN-01', response.summary)
    for (const token of [tokens.access, tokens.refresh])
      if (token !== undefined) this.knownValues.add(token, 'token')
    return tokens
  }

  /** A consent program returns to the URL on which the suite listens. */
  private redirectMetadata({ user }: ToolsHarness): Readonly<Record<string, unknown>> {
    return user === undefined ? {} : { redirect_uris: [user.redirectUri] }
  }
}
