import type { Decision } from '../../../wire/oauth/button-meaning.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotCovered, type Context } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { HttpWorld, type HttpWorldOptions } from '../../shared/http-world.ts'
import type { ToolsTarget, ToolsNeed } from '../../tools/target.ts'
import type { ToolsMessage } from '../../tools/support/tools-message.ts'
import type { ToolsHarness } from '../../tools/support/harness.ts'
import type { AuthTarget, Pattern } from '../../tools/authentication.ts'
import { askOf, type Ask, type Changes } from './ask.ts'
import { clientIn, givenClient, publicMetadata, registration, type Client } from './client.ts'
import { endpointsOf, metadataIn, metadataRequests, rootOf, type Endpoints } from './endpoints.ts'
import { exchangeOf, refreshOf, tokensIn, type Grant, type Tokens } from './grant.ts'
import { Made } from './made.ts'
import { readingOf, rowOfService } from './reading.ts'
import { codeIn, sentBy, walkOf, type Manner, type Walk } from './walk.ts'

export interface AuthOptions extends Omit<HttpWorldOptions, 'prefix'> {
  access: ToolsTarget
  made: Made
  harness: () => Promise<ToolsHarness>
}

/** What a check acts with at the authorization server: clients, users on their way, codes and tokens. */
export abstract class AuthorizationWorld extends HttpWorld<ToolsMessage> {
  readonly access: ToolsTarget
  readonly auth: AuthTarget
  readonly pattern: Pattern
  /** Values that were made up or given: tell it of each that a request may hold. */
  readonly made: Made
  /** The row that says that whoever may come is served. */
  readonly served: RequirementId
  protected readonly options: AuthOptions

  constructor(context: Context<ToolsMessage>, options: AuthOptions) {
    const auth: AuthTarget = options.access.auth ?? { pattern: 'none' }
    super(context, readingOf(auth.pattern), {
      ...options,
      prefix: 'touchstone-nothing-',
      onExchange: (answer) => options.made.hear(answer),
    })
    this.options = options
    this.access = options.access
    this.auth = auth
    this.pattern = auth.pattern
    this.made = options.made
    this.served = rowOfService[auth.pattern]
  }

  protected override maskGenerated(value: string): string {
    return this.made.maskGenerated(value)
  }

  /** Sends a request that must be refused, beside its contrast. */
  readonly refuses = this.expectRefusedWithContrast.bind(this)

  /** Makes something once in a run, whoever asks first. */
  abstract readonly shared: <T>(
    name: string,
    make: (world: AuthorizationWorld) => Promise<T>,
  ) => Promise<T>

  readonly harness = (): Promise<ToolsHarness> => this.options.harness()

  readonly endpoints = (): Promise<Endpoints> =>
    this.shared('endpoints', async ({ send, auth, access }) => {
      const root = rootOf(auth, access)
      for (const request of metadataRequests(root)) {
        const answer = await send(request)
        if (metadataIn(answer) !== undefined) return endpointsOf(root, answer)
      }
      return endpointsOf(root, undefined)
    })

  /** A request to register a client that keeps no secret, with other metadata where it is given; a member that is undefined is left out. */
  readonly registering = async (
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<HttpRequest> => {
    if (this.auth.registration === false)
      throw new NotCovered<ToolsNeed>('clients may not register by themselves', [
        'tools.auth.registration',
      ])
    const { register } = await this.endpoints()
    return this.asking(register, { ...this.returning(await this.harness()), ...metadata })
  }

  /** The same request for an address, whether clients may register or not. */
  readonly asking = (register: string, metadata: Readonly<Record<string, unknown>>): HttpRequest =>
    registration(register, publicMetadata(metadata))

  /** A client by a name of the suite's own, registered once in a run. The first one, «public», is the target file's where that names one. */
  readonly client = (
    name = 'public',
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<Client> =>
    this.shared(`client ${name}`, async ({ registering, sendOrBlock, auth, made, endpoints }) => {
      const { metadata: told } = await endpoints()
      const known =
        name === 'public'
          ? givenClient(
              auth,
              (told === undefined ? undefined : metadataIn(told))?.[
                'token_endpoint_auth_methods_supported'
              ],
            )
          : undefined
      if (known !== undefined) return known
      const request = await registering(metadata)
      const answer = await sendOrBlock(request)
      const client = clientIn(
        answer,
        request.body?.kind === 'json' ? (request.body.value as Record<string, unknown>) : {},
      )
      if (client === undefined) throw new Blocked('AUTH-REGISTER-01', answer.summary)
      if (client.secret !== undefined) made.add(client.secret, 'secret')
      return client
    })

  /**
   * The client of whoever asks without naming one: one for each row, since a server may end what a user allowed a client formerly when the user allows it
   * again. That of the target file, where it names one or nobody may register.
   */
  private usual(): Promise<Client> {
    const { requirement } = this.context
    return this.client(
      requirement === undefined ||
        this.auth.registration === false ||
        this.auth.clientId !== undefined
        ? 'public'
        : `of ${requirement}`,
    )
  }

  /** A good authorization request, but for its changes; of a client of the row's own where none is given. */
  readonly ask = async (changes: Changes = {}, client?: Client): Promise<Ask> =>
    askOf(
      (await this.endpoints()).authorize,
      client ?? (await this.usual()),
      this.auth,
      this.made,
      changes,
    )

  /** Goes to the authorization endpoint as a user with a browser of its own, and decides there. */
  readonly walk = async (
    ask: Ask,
    decision: Decision = 'approve',
    manner: Manner = {},
  ): Promise<Walk> => {
    const { identity, user } = await this.harness()
    const walk = await (user === undefined
      ? walkOf({ ask, decision, auth: this.auth, identity, send: this.send, ...manner })
      : sentBy(user.program, ask, decision, this.signal))
    const code = codeIn(walk)
    if (code !== undefined) this.made.add(code, 'code')
    return walk
  }

  /** Notes in what a request differs from one that led to a code: it has to be a single factor. */
  readonly differsFrom = (contrast: HttpRequest, request: HttpRequest): void => {
    this.context.ledger.difference = `only in ${this.onlyDifference(request, contrast)} from a request that leads to a code`
  }

  /** A code that a user has allowed. Where none comes, the check is blocked by the row that says that it does. */
  readonly grant = async (changes: Changes = {}, client?: Client): Promise<Grant> => {
    const ask = await this.ask(changes, client)
    const walk = await this.walk(ask)
    const code = codeIn(walk)
    if (code === undefined) throw new Blocked('AUTH-AUTHORIZE-01', walk.summary)
    return { client: ask.client, ask, walk, code }
  }

  /** A request that exchanges a code for tokens, with other fields where they are given: undefined leaves one out, a list sends it several times. */
  readonly exchange = async (
    grant: Grant,
    changes: Changes = {},
    client: Client = grant.client,
  ): Promise<HttpRequest> =>
    this.proven(exchangeOf((await this.endpoints()).token, grant, client, changes), client)

  /** A request for new tokens in exchange for a refresh token. */
  readonly refreshing = async (
    tokens: Tokens,
    changes: Changes = {},
    client: Client = tokens.grant.client,
  ): Promise<HttpRequest> =>
    this.proven(refreshOf((await this.endpoints()).token, tokens, client, changes), client)

  /** A request in which a client proves who it is: how it does so is a secret as well. */
  private proven(request: HttpRequest, { id, secret }: Client): HttpRequest {
    // A wrong secret is no secret, and has to differ from the right one; so has that of nobody.
    const isKnown =
      id === this.auth.clientId || this.made.clients.some((client) => client.id === id)
    if (
      !isKnown ||
      secret === undefined ||
      (this.made.maskGenerated(secret) === secret && secret !== this.auth.clientSecret)
    )
      return request
    const [, credential] = /^Basic (.+)$/.exec(request.headers?.['Authorization'] ?? '') ?? []
    if (credential !== undefined) this.made.add(credential, 'secret')
    return request
  }

  /** Tokens of a new grant. Blocks the check where they cannot be had. */
  readonly tokens = async (changes: Changes = {}, client?: Client): Promise<Tokens> => {
    const grant = await this.grant(changes, client)
    const answer = await this.sendOrBlock(await this.exchange(grant))
    return this.received(answer, grant)
  }

  /** Reads tokens out of an answer, and remembers them. Blocks the check where there are none. */
  readonly received = (answer: HttpExchange, grant: Grant): Tokens => {
    const tokens = tokensIn(answer, grant)
    if (tokens === undefined) throw new Blocked('AUTH-TOKEN-01', answer.summary)
    for (const token of [tokens.access, tokens.refresh])
      if (token !== undefined) this.made.add(token, 'token')
    return tokens
  }

  /** Where users return to, for a program that is one: to where the suite listens. */
  private returning({ user }: ToolsHarness): Readonly<Record<string, unknown>> {
    return user === undefined ? {} : { redirect_uris: [user.redirectUri] }
  }
}
