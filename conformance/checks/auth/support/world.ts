import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange, FakeIdentityProvider } from '../../../wire/index.ts'
import type { ToolsMessage } from '../../tools/support/tools-message.ts'
import { AuthorizationWorld } from './authorization.ts'
import { guardedPlaces, isEntrance, type Guarded } from './guarded.ts'
import { mintedFor } from './minted.ts'
import { isServed } from './places.ts'
import type { ToolsNeed } from '../../tools/target.ts'

/** What a check acts with that judges how a tool server knows who comes. Its functions can be taken out of it one by one. */
export class AuthWorld extends AuthorizationWorld {
  /** Makes something once in a run, whoever asks first. */
  readonly shared = <T>(name: string, make: (world: AuthWorld) => Promise<T>): Promise<T> =>
    this.context.shared(`auth: ${name}`, (common) => make(new AuthWorld(common, this.options)))

  /** A token that is good, for pattern 1 none: that of all the tools checks. Blocks the check where it cannot be had. */
  readonly bearer = async (): Promise<string | undefined> => {
    const { bearer } = await this.harness()
    const now = this.clock.today()
    if (this.pattern === 'none' || bearer.isValid(now)) return bearer.value
    await this.shared(`token ${bearer.tokenCount + 1}`, async (common) => {
      if (common.pattern === 'jwt') {
        const { token, seconds } = mintedFor(common.auth, now)
        bearer.set(common.made.add(token, 'token'), now, seconds)
      } else {
        // Of a client that no check uses: a server may end what a user allowed a client formerly when the user allows it again.
        const isOwn = common.auth.registration !== false && common.auth.clientId === undefined
        const { access, seconds } = await common.tokens(
          {},
          await common.client(isOwn ? 'of the bearer' : 'public'),
        )
        bearer.set(access, now, seconds)
      }
    })
    return bearer.value
  }

  /** The places at which a token is asked for, and what each answers to a good one. Blocks the check where no transport serves. */
  readonly guarded = (): Promise<readonly Guarded[]> =>
    this.shared('guarded places', async (common) => {
      const places = await guardedPlaces({
        access: common.access,
        place: await common.harness(),
        token: await common.bearer(),
        send: common.send,
        note: common.note,
      })
      const [first] = places
      if (first === undefined)
        throw new NotCovered<ToolsNeed>('only stdio, where nobody is asked', [
          'tools.http',
          'tools.sse',
        ])
      if (!places.some(({ answer }) => isServed(answer))) {
        const { status = 0, summary } = first.answer
        const hint =
          common.pattern === 'none' && (status === 401 || status === 403)
            ? '. A server that asks who comes has a pattern, which tools.auth of the target file tells'
            : ''
        throw new Blocked(common.served, `${summary}${hint}`)
      }
      return places
    })

  /** Asks for a resource with a token, on each HTTP transport: whether it is served, and what came. */
  readonly use = async (token: string | undefined): Promise<HttpExchange[]> => {
    const places = (await this.guarded()).filter(isEntrance)
    return Promise.all(
      places.map(({ place }) =>
        this.send(place.request(token === undefined ? undefined : `Bearer ${token}`)),
      ),
    )
  }

  /** The identity provider that the suite plays for pattern 3. */
  readonly identity = async (): Promise<FakeIdentityProvider> => {
    const { identity } = await this.harness()
    if (identity === undefined)
      throw new NotCovered<ToolsNeed>('the suite does not play the identity provider', [
        'suite.identity',
      ])
    return identity
  }

  /** Shows an exchange that another door made to the checks that watch, and to the report. */
  readonly note = <E extends ToolsMessage>(exchange: E): E => {
    this.context.ledger.record(exchange)
    return exchange
  }

  /**
   * Works in the run's last stage, and alone among those that do: what ends tokens, codes or patience, and what moves the clock.
   */
  readonly last = async (work: () => Promise<void>): Promise<void> => {
    await this.waitForStage('final')
    const { finalStageLock } = await this.harness()
    await finalStageLock.runExclusive(work)
  }

  /** Works while the clock by which codes and tokens end is so many seconds ahead. Within `last` only. */
  readonly ahead = async <T>(seconds: number, work: () => Promise<T>): Promise<T> => {
    const { clock: url = '' } = this.auth
    const set = async (offsetSeconds: number) => {
      const moved = await this.send({
        operation: 'clock',
        method: 'POST',
        url,
        body: { kind: 'json', value: { offsetSeconds } },
      })
      if (!isServed(moved))
        throw new NotCovered<ToolsNeed>(
          `the clock of the target file did not move: ${moved.summary}`,
          ['tools.auth.clock'],
        )
    }
    try {
      await set(seconds)
      return await work()
    } finally {
      // Also when the run was called off, which no request of the checks outlives.
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
