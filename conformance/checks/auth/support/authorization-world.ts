import type { Decision } from '../../../wire/oauth/button-meaning.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { buildAuthorizationRequest, type FlowRequest, type Changes } from './flow-request.ts'
import type { Client } from './client.ts'
import {
  buildCodeExchange,
  buildRefreshRequest,
  tokensIn,
  type Grant,
  type Tokens,
} from './grant.ts'
import { sharedNames, type ClientAuthentication } from './client-pool.ts'
import {
  codeIn,
  runConsentProgram,
  runAuthorizationFlow,
  type FlowOptions,
  type AuthorizationFlow,
} from './authorization-flow.ts'
import { httpEndpoints, sseEndpoints } from './protected-endpoints.ts'
import type { ToolsNeed } from '../../tools/target.ts'
import { RegistrationWorld, type Registration } from './registration-world.ts'

/** Tokens of the client in the target file. */
export interface ConfiguredTokens {
  readonly tokens: Tokens
  /** When the suite received the tokens, in milliseconds since the epoch. */
  readonly since: number
  /** Whether an earlier token of the client still works. */
  readonly outlastsApproval: boolean
}

/** A client that no other check uses at the same time. */
interface Lease {
  readonly method: ClientAuthentication | undefined
  readonly client: Promise<Client>
}

/**
 * The operations of checks at the authorization server: to reserve clients, run authorization
 * flows, and obtain codes and tokens.
 */
export abstract class AuthorizationWorld extends RegistrationWorld {
  private lease: Lease | undefined
  /** Whether the world obtains tokens for the checks of `tools`. */
  protected obtainsBearer = false
  private readonly releases: (() => void)[] = []

  /**
   * Returns the value that all checks of the run share under this name. The first call creates it.
   */
  abstract override readonly shared: <T>(
    name: string,
    make: (world: AuthorizationWorld) => Promise<T>,
  ) => Promise<T>

  /**
   * Reserves a client until the check ends or waits for other verdicts. Two checks must not share
   * one, because a server may revoke a client's earlier grants when a user approves it again.
   * Returns the client in the target file if it has the method, or if clients cannot register
   * themselves; otherwise a client of the pool. By default, any method is accepted. A check
   * reserves at most one client, and must not wait for a stage while it has one.
   */
  readonly leaseClient = (method?: ClientAuthentication): Promise<Client> => {
    if (this.lease !== undefined && method !== undefined && this.lease.method !== method)
      throw new Error('a check can reserve only one client')
    this.lease ??= { method, client: this.waitForClient(method) }
    return this.lease.client
  }

  /**
   * A client other than `client`, with the method of the reserved client. Undefined if there is
   * none.
   */
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
    const configured = await this.findReusableClient()
    const usesConfigured =
      this.auth.registration === false ||
      (configured !== undefined && (method ?? configured.method) === configured.method)
    let lastError: Blocked | NotCovered | undefined
    for (;;) {
      const name = pool.acquire(usesConfigured ? ['public'] : pool.names(method ?? 'none'))
      if (name === undefined) {
        this.endIfLimitKnown()
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
        // If the server refuses a registration, uses the clients that it has registered before.
        pool.refuse(name)
        lastError = error
      }
    }
  }

  /**
   * Tokens of the client in the target file, from its second approval. `outlastsApproval` is
   * whether the token of the first approval still works.
   */
  protected readonly getConfiguredTokens = (): Promise<ConfiguredTokens> =>
    this.shared('tokens of the client in the target file', async (common) => {
      common.obtainsBearer = true
      const client = await common.readConfiguredClient()
      const earlier = await common.obtainTokens({}, client)
      const tokens = await common.obtainTokens({}, client)
      const since = common.clock.realTime()
      const { http, sse } = common.target
      const [endpoint] = [
        ...(http === undefined ? [] : httpEndpoints(http, undefined)),
        ...(sse === undefined ? [] : sseEndpoints(sse, undefined)),
      ]
      const isRefused = async (access: string) =>
        endpoint !== undefined &&
        (await common.send(endpoint.request(`Bearer ${access}`))).status === 401
      return {
        tokens,
        since,
        outlastsApproval: !(await isRefused(earlier.access)) || (await isRefused(tokens.access)),
      }
    })

  /**
   * Whether a token of the client in the target file still works after the user has approved the
   * client again. A server may keep only one grant for each user and client.
   */
  private keepsGrants(): Promise<boolean> {
    // Without tokens, this is unknown. Other checks report why there are none.
    return this.getConfiguredTokens().then(
      ({ outlastsApproval }) => outlastsApproval,
      () => true,
    )
  }

  protected override async findReusableClient(): Promise<Client | undefined> {
    const client = await this.readConfiguredClient()
    if (client === undefined || this.auth.registration === false) return client
    return (await this.keepsGrants()) ? client : undefined
  }

  /**
   * Ends the check if its flow would revoke the token of the checks of `tools`, or a grant of
   * another check.
   */
  private async requireLastingGrants({ metadata }: Client): Promise<void> {
    const isConfigured = metadata === undefined
    if (!isConfigured || this.obtainsBearer || this.auth.registration !== false) return
    if (!(await this.keepsGrants()))
      throw new NotCovered<ToolsNeed>(
        'the server revokes the tokens of a client when the user approves the client again, so checks cannot share a client',
        ['tools.auth.registration'],
      )
  }

  private getSharedClient(name: string, method: ClientAuthentication): Promise<Client> {
    return this.getClient(name, { token_endpoint_auth_method: method })
  }

  /** The registration of a client of the pool, which checks use one after the other. */
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
      this.options.pool.release(name)
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
    // The check whose verdict is awaited may need the client.
    this.releaseClient()
  }

  /**
   * The client of a request by default: the reserved client of the check or, for a value that
   * several checks share, the client `public`.
   */
  private defaultClient(): Promise<Client> {
    return this.context.requirement === undefined ? this.getClient() : this.leaseClient()
  }

  /** A valid authorization request with `changes`; by default of the reserved client. */
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
    if (decision === 'approve') await this.requireLastingGrants(authorization.client)
    const { identity, signIns, user } = await this.harness()
    const flow = await (user === undefined
      ? runAuthorizationFlow({
          authorization,
          decision,
          auth: this.auth,
          identity,
          signIns,
          send: this.send,
          ...options,
        })
      : runConsentProgram(user.program, authorization, decision, this.signal))
    const code = codeIn(flow)
    if (code !== undefined) this.knownValues.add(code, 'code')
    return flow
  }

  /**
   * Notes the difference between a request and `contrast`, a request that led to a code. Throws
   * if the number of differences is not one.
   */
  readonly recordDifference = (contrast: HttpRequest, request: HttpRequest): void => {
    const difference = this.onlyDifference(request, contrast)
    this.context.ledger.noteDifference(`only in ${difference}`)
  }

  /**
   * Obtains a code for an authorization request that a user has approved. Without a code, the check
   * is blocked by AUTH-AUTHORIZE-01 (a valid request leads to a code).
   */
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

  /** Adds the Basic credentials of a request to the secrets if they are those of its client. */
  private withSecretCredential(request: HttpRequest, { id, secret }: Client): HttpRequest {
    // If wrong credentials were also masked as `<secret>`, they would not differ from the right
    // ones.
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

  /** Obtains tokens with a new authorization code. Blocks the check if there are none. */
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
}
