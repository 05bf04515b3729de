import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange, FakeIdentityProvider } from '../../../wire/index.ts'
import type { ToolsMessage } from '../../tools/support/tools-message.ts'
import { AuthorizationWorld, type ConfiguredTokens } from './authorization-world.ts'
import { bearerClient } from './client-pool.ts'
import type { Client } from './client.ts'
import { probeAllEndpoints, isEntryPoint, type ProbedEndpoint } from './probed-endpoints.ts'
import { mintToken } from './token-mint.ts'
import { isServed } from './protected-endpoints.ts'
import type { ToolsNeed } from '../../tools/target.ts'

/** The operations that a check of authentication can use. Checks can destructure them. */
export class AuthWorld extends AuthorizationWorld {
  /**
   * Returns the value that all checks of the run share under this name. The first call creates it.
   */
  readonly shared = <T>(name: string, make: (world: AuthWorld) => Promise<T>): Promise<T> =>
    this.context.shared(`auth: ${name}`, (common) => make(new AuthWorld(common, this.options)))

  /**
   * Ensures that there is a valid token, which all requests of the checks of `tools` contain, and
   * returns it; undefined for the pattern `none`. Blocks the check if no token can be obtained.
   */
  readonly ensureToken = async (): Promise<string | undefined> => {
    const { bearer } = await this.harness()
    const now = this.clock.realTime()
    if (this.pattern === 'none' || bearer.isValid(now)) return bearer.value
    await this.shared(`token ${bearer.tokenCount + 1}`, async (common) => {
      if (common.pattern === 'jwt') {
        const { token, seconds } = mintToken(common.auth, now)
        bearer.set(common.knownValues.add(token, 'token'), now, seconds)
      } else {
        const { tokens, since } = await common.obtainBearerTokens(bearer.tokenCount === 0)
        bearer.set(tokens.access, since, tokens.seconds)
      }
    })
    return bearer.value
  }

  /** Tokens of the client whose token all checks of `tools` send. */
  private async obtainBearerTokens(
    isFirst: boolean,
  ): Promise<Pick<ConfiguredTokens, 'tokens' | 'since'>> {
    this.obtainsBearer = true
    const client = await this.getBearerClient()
    const isConfigured = client.metadata === undefined
    if (isFirst && isConfigured) return this.getConfiguredTokens()
    return { tokens: await this.obtainTokens({}, client), since: this.clock.realTime() }
  }

  /**
   * The client whose token all checks of `tools` send. No check runs flows with it, because a
   * server may revoke a client's earlier grants when the user approves it again. If it cannot be
   * registered, returns the client in the target file or, without one, the default client.
   */
  private async getBearerClient(): Promise<Client> {
    const getDefault = async () => (await this.readConfiguredClient()) ?? this.getClient()
    if (this.auth.registration === false) return getDefault()
    try {
      return await this.getClient(bearerClient)
    } catch (error) {
      const isLimited = error instanceof NotCovered
      if (isLimited || (error instanceof Blocked && this.auth.clientId !== undefined))
        return getDefault()
      throw error
    }
  }

  /**
   * The endpoints that require a token, each with its response to a valid token. Blocks the check
   * if no transport works.
   */
  readonly probeEndpoints = (): Promise<readonly ProbedEndpoint[]> =>
    this.shared('probed endpoints', async (common) => {
      const endpoints = await probeAllEndpoints({
        target: common.target,
        harness: await common.harness(),
        token: await common.ensureToken(),
        send: common.send,
        record: common.record,
        runThroughGate: common.runThroughGate,
      })
      const [first] = endpoints
      if (first === undefined)
        throw new NotCovered<ToolsNeed>('stdio has no authentication', ['tools.http', 'tools.sse'])
      if (!endpoints.some(({ exchange }) => isServed(exchange))) {
        const { status = 0, summary } = first.exchange
        const hint =
          common.pattern === 'none' && (status === 401 || status === 403)
            ? '. If the server requires authentication, set tools.auth in the target file'
            : ''
        throw new Blocked(common.servedRequirement, `${summary}${hint}`)
      }
      return endpoints
    })

  /** Requests the resource with a token, once on each HTTP transport. */
  readonly useToken = async (token: string | undefined): Promise<HttpExchange[]> => {
    const endpoints = (await this.probeEndpoints()).filter(isEntryPoint)
    return Promise.all(
      endpoints.map(({ endpoint }) =>
        this.send(endpoint.request(token === undefined ? undefined : `Bearer ${token}`)),
      ),
    )
  }

  /** The fake identity provider, for the pattern `oauth-proxy`. */
  readonly getIdentityProvider = async (): Promise<FakeIdentityProvider> => {
    const { identity } = await this.harness()
    if (identity === undefined)
      throw new NotCovered<ToolsNeed>('the suite does not run the identity provider', [
        'suite.identity',
      ])
    return identity
  }

  /**
   * Records an exchange that `send` did not send, for the report and for the checks that examine
   * every exchange.
   */
  readonly record = <E extends ToolsMessage>(exchange: E): E => {
    this.context.ledger.record(exchange)
    return exchange
  }

  /**
   * Runs `work` in the final stage, in which only one check runs at a time. `work` may invalidate
   * tokens and codes, exceed a rate limit, or move the server's clock.
   */
  readonly runInFinalStage = async (work: () => Promise<void>): Promise<void> => {
    // The stage opens when all other checks have ended or wait for it. Until then, some may need
    // this check's client.
    this.releaseClient()
    await this.waitForStage('final')
    const { finalStageLock } = await this.harness()
    await finalStageLock.runExclusive(work)
  }

  /**
   * Runs `work` while the server's clock is `seconds` seconds ahead. Must be called within
   * `runInFinalStage`.
   */
  readonly withClockAhead = async <T>(seconds: number, work: () => Promise<T>): Promise<T> => {
    const { clock: url = '' } = this.auth
    const setOffset = async (offsetSeconds: number) => {
      const response = await this.send({
        operation: 'clock',
        method: 'POST',
        url,
        body: { kind: 'json', value: { offsetSeconds } },
      })
      if (!isServed(response))
        throw new NotCovered<ToolsNeed>(`the server's clock did not move: ${response.summary}`, [
          'tools.auth.clock',
        ])
    }
    try {
      await setOffset(seconds)
      return await work()
    } finally {
      // Uses the HTTP client of the harness directly, because `send` sends nothing after the run
      // was cancelled.
      const { client } = await this.harness()
      await client.http({
        operation: 'clock',
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', Authorization: undefined },
        body: { offsetSeconds: 0 },
      })
    }
  }
}
