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
import {
  clientIn,
  clientName,
  configuredClient,
  publicMetadata,
  newClientRegistration,
  type Client,
} from './client.ts'
import type { ClientPool } from './client-pool.ts'
import {
  readEndpoints,
  metadataIn,
  findServerMetadata,
  authorizationRootOf,
  type Endpoints,
} from './endpoints.ts'
import { KnownValues } from './known-values.ts'
import { responseRulesOf, accessRequirements } from './response-rules.ts'

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

/** Statuses with which a server may refuse registrations because of a limit. */
const limitStatuses: readonly (number | undefined)[] = [403, 429, 503]

/** The operations of checks that concern the registration of clients. */
export abstract class RegistrationWorld extends HttpWorld<ToolsMessage> {
  readonly target: ToolsTarget
  readonly auth: AuthTarget
  readonly pattern: Pattern
  /**
   * The values that the run generated or received. Add every value that differs from request to
   * request: it is masked when a refused request is compared with an accepted one.
   */
  readonly knownValues: KnownValues
  /** The requirement that callers with valid credentials are served. */
  readonly servedRequirement: RequirementId
  protected readonly options: AuthOptions

  constructor(context: Context<ToolsMessage>, options: AuthOptions) {
    const auth: AuthTarget = options.target.auth ?? { pattern: 'none' }
    super(context, responseRulesOf(auth.pattern), {
      ...options,
      // The names that these checks generate have no common prefix, so this prefix matches nothing.
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

  /** Sends a request that must be refused, and a similar request that must succeed. */
  readonly expectRefused = this.expectRefusedWithContrast.bind(this)

  /**
   * Returns the value that all checks of the run share under this name. The first call creates it.
   */
  abstract readonly shared: <T>(
    name: string,
    make: (world: RegistrationWorld) => Promise<T>,
  ) => Promise<T>

  readonly harness = (): Promise<ToolsHarness> => this.options.harness()

  readonly findEndpoints = (): Promise<Endpoints> =>
    this.shared('endpoints', async ({ send, auth, target }) => {
      const root = authorizationRootOf(auth, target)
      const { responses } = await findServerMetadata(root, target, send)
      return readEndpoints(root, responses[0])
    })

  /**
   * A request to register a client without a secret. `metadata` is merged in; undefined omits a
   * member.
   */
  readonly newRegistrationRequest = async (
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<HttpRequest> => {
    if (this.auth.registration === false)
      throw new NotCovered<ToolsNeed>('clients cannot register themselves', [
        'tools.auth.registration',
      ])
    const { register } = await this.findEndpoints()
    return this.newRegistrationRequestAt(register, {
      ...this.redirectMetadata(await this.harness()),
      ...metadata,
    })
  }

  /** A registration request to any URL, even if clients cannot register themselves. */
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
    this.endIfLimitKnown()
    try {
      const response = await this.send(request)
      await this.endIfLimited(response)
      if (response.status === 201) this.options.pool.accepted ??= request
      return response
    } catch (error) {
      throw error instanceof RateLimited ? this.newLimit('status 429') : error
    }
  }

  /**
   * The registration of the client with this name, accepted or refused. It is sent once in a run.
   */
  readonly registrationOf = (
    name: string,
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<Registration> =>
    this.shared(`registration ${name}`, async (common) => {
      const request = await common.newRegistrationRequest({
        client_name: `${clientName}, ${name}`,
        ...metadata,
      })
      return { request, response: await common.sendRegistration(request) }
    })

  /**
   * Expects the server to refuse a registration that differs only in `changes` from one that it
   * accepted. Sent once in a run for each `label`.
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
    this.context.ledger.noteDifference(`only in ${refused.difference}`, refused.response.number)
    this.expect(refused.response, ...expectations.map((one) => labelled(label, one)))
    return refused.response
  }

  private async sendWrongRegistration(
    accepted: HttpRequest,
    changes: Readonly<Record<string, unknown>>,
  ): Promise<{ difference: string; response: HttpExchange }> {
    this.endIfLimitKnown()
    const metadata = accepted.body?.kind === 'json' ? (accepted.body.value as object) : {}
    const request: HttpRequest = {
      ...accepted,
      meaning: 'invalid',
      body: { kind: 'json', value: { ...metadata, ...changes } },
    }
    const difference = this.onlyDifference(request, accepted)
    const response = await this.sendUnrecorded(request, { isRefusal: true })
    await this.endIfLimited(response)
    return { difference, response: this.recordIfJudgeable(response) }
  }

  /**
   * Ends the check if a registration was refused because of a limit. A status other than 429
   * counts as a limit only if the server also refuses, with that status, a registration like one
   * that it accepted before.
   */
  private async endIfLimited({ status }: HttpExchange): Promise<void> {
    if (!limitStatuses.includes(status)) return
    if (status !== 429 && !(await this.refusesEveryRegistration(status))) return
    throw this.newLimit(`status ${status}`)
  }

  private async refusesEveryRegistration(status: number | undefined): Promise<boolean> {
    const { accepted } = this.options.pool
    if (accepted?.body?.kind !== 'json') return false
    const metadata = { ...(accepted.body.value as object), client_name: `${clientName}, once more` }
    const response = await this.send({ ...accepted, body: { kind: 'json', value: metadata } })
    return response.status === status
  }

  protected endIfLimitKnown(): void {
    const { limit } = this.options.pool
    if (limit !== undefined) throw this.newLimit(limit)
  }

  private newLimit(reason: string): NotCovered<ToolsNeed> {
    this.options.pool.limit = reason
    const limited = `the server registers no more clients for now: ${reason}`
    return this.auth.clientId === undefined
      ? new NotCovered<ToolsNeed>(
          `${limited}. If the target file contains a client, the suite registers fewer clients`,
          ['tools.auth.clientId'],
        )
      : new NotCovered(`${limited}. Let it register more clients while it is tested`)
  }

  /**
   * The client with this name, registered once in a run. Its metadata contains the name, because a
   * server may return one client for equal metadata (RFC 7591 §3.2.1). The default client,
   * `public`, is that of the target file if there is one.
   */
  readonly getClient = (
    name = 'public',
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<Client> =>
    this.shared(`client ${name}`, async (common) => {
      const configured = name === 'public' ? await common.findReusableClient() : undefined
      if (configured !== undefined) return configured
      const { request, response } = await common.registrationOf(name, metadata)
      const client = clientIn(
        response,
        request.body?.kind === 'json' ? (request.body.value as Record<string, unknown>) : {},
      )
      if (client === undefined)
        throw new Blocked('AUTH-REGISTER-01', `the registration returned ${response.summary}`)
      if (client.secret !== undefined) common.knownValues.add(client.secret, 'secret')
      return client
    })

  /**
   * The client in the target file; undefined if there is none, or if checks must not use it for
   * several flows.
   */
  protected abstract findReusableClient(): Promise<Client | undefined>

  /** The client in the target file; undefined if the target file names none. */
  protected async readConfiguredClient(): Promise<Client | undefined> {
    const { metadata } = await this.findEndpoints()
    return configuredClient(
      this.auth,
      (metadata === undefined ? undefined : metadataIn(metadata))?.[
        'token_endpoint_auth_methods_supported'
      ],
    )
  }

  /**
   * The redirect URI that clients register: if a consent program acts as the user, the URL on which
   * the suite listens for redirects; otherwise the default of `publicMetadata`.
   */
  private redirectMetadata({ user }: ToolsHarness): Readonly<Record<string, unknown>> {
    return user === undefined ? {} : { redirect_uris: [user.redirectUri] }
  }
}
