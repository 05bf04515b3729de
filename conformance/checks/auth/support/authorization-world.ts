import type { Decision } from '../../../wire/oauth/button-meaning.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotCovered, type Context } from '../../../engine/index.ts'
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
  harness: () => Promise<ToolsHarness>
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
   * The client with the given name, registered once in a run. Its metadata contains the name,
   * because a server may return the same client for the same metadata (RFC 7591 §3.2.1). The
   * default client, `public`, is the client of the target file, if the target file names one.
   */
  readonly getClient = (
    name = 'public',
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<Client> =>
    this.shared(
      `client ${name}`,
      async ({ newRegistrationRequest, sendOrBlock, auth, knownValues, findEndpoints }) => {
        const { metadata: metadataResponse } = await findEndpoints()
        const configured =
          name === 'public'
            ? configuredClient(
                auth,
                (metadataResponse === undefined ? undefined : metadataIn(metadataResponse))?.[
                  'token_endpoint_auth_methods_supported'
                ],
              )
            : undefined
        if (configured !== undefined) return configured
        const request = await newRegistrationRequest({
          client_name: `Touchstone, ${name}`,
          ...metadata,
        })
        const response = await sendOrBlock(request)
        const client = clientIn(
          response,
          request.body?.kind === 'json' ? (request.body.value as Record<string, unknown>) : {},
        )
        if (client === undefined) throw new Blocked('AUTH-REGISTER-01', response.summary)
        if (client.secret !== undefined) knownValues.add(client.secret, 'secret')
        return client
      },
    )

  /**
   * The client of a request if the check selects no client: one for each requirement, because a
   * server may revoke a client's earlier grants when the user approves it again. If the target file
   * names a client, or clients may not register themselves, it is the client of the target file.
   */
  private defaultClient(): Promise<Client> {
    const { requirement } = this.context
    return this.getClient(
      requirement === undefined ||
        this.auth.registration === false ||
        this.auth.clientId !== undefined
        ? 'public'
        : `of ${requirement}`,
    )
  }

  /**
   * A valid authorization request, except for `changes`; by default of the requirement's own
   * client.
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
