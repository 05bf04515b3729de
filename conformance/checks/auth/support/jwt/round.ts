import type { Forged, HttpExchange, JwtMint } from '../../../../wire/index.ts'
import { RogueKeyServer } from '../../../../wire/fakes/rogue-key-server.ts'
import { mintFor } from '../minted.ts'
import { isServed, type ProtectedPlace } from '../places.ts'
import type { AuthWorld } from '../world.ts'

/** A place, and what it answered to whoever should not be let in. */
export interface TokenAttempt {
  readonly place: ProtectedPlace
  readonly answer: HttpExchange
  /** The token that came; undefined where there was no header at all. */
  readonly forged: Forged | undefined
}

/** What was tried at all places that serve whoever has a good token. */
export interface Round {
  /** Where single tokens are tried: the first place that serves. */
  readonly main: ProtectedPlace
  /** All places that serve. What ends a session stands last. */
  readonly places: readonly ProtectedPlace[]
  readonly tried: readonly TokenAttempt[]
  /** What the server fetched from where forged tokens point. */
  readonly fetched: readonly string[]
}

/** The mint of this run: all checks mean the same good token. */
export const mintOf = (world: AuthWorld): Promise<JwtMint> =>
  world.shared('mint', async ({ auth, clock, made }) => {
    const mint = mintFor(auth, () => clock.today())
    for (const { token } of [{ token: mint.good() }, ...mint.variants(), ...mint.open()])
      made.add(token, 'token')
    return mint
  })

/** Brings every forged token, and none, to every place; once in a run, for all checks that look at the answers. */
export const roundOf = (world: AuthWorld): Promise<Round> =>
  world.shared('round of forged tokens', goRound)

/** The answers at the place where single tokens are tried. */
export const atMain = ({ main, tried }: Round): readonly TokenAttempt[] =>
  tried.filter(({ place }) => place === main)

async function goRound(world: AuthWorld): Promise<Round> {
  const places = (await world.guarded())
    .filter(({ answer }) => isServed(answer))
    .map(({ place }) => place)
  const mint = await mintOf(world)
  const lure = await RogueKeyServer.start()
  try {
    const main = places[0]!
    // Whoever remembers good tokens has seen the one of which the others are forged.
    await world.send(main.request(`Bearer ${mint.good()}`))
    const forged = mint.forged(lure.url).filter(({ forgery }) => forgery !== 'size')
    const bring = async (
      place: ProtectedPlace,
      one: Forged | undefined,
    ): Promise<TokenAttempt> => ({
      place,
      forged: one,
      answer: await world.send(
        place.request(one === undefined ? undefined : `Bearer ${one.token}`),
      ),
    })
    const [ends, others] = [places.filter(isEnd), places.filter((place) => !isEnd(place))]
    const tried = await Promise.all(
      others.flatMap((place) => [undefined, ...forged].map((one) => bring(place, one))),
    )
    for (const place of ends) tried.push(...(await inTurn(place, [undefined, ...forged], bring)))
    return { main, places: [...others, ...ends], tried, fetched: [...lure.requestedPaths] }
  } finally {
    await lure.close()
  }
}

/** Who is let in there ends the session. */
const isEnd = ({ method }: ProtectedPlace): boolean => method === 'DELETE'

/** One after the other, until one is let in: nothing is left then that others could be kept from. */
async function inTurn(
  place: ProtectedPlace,
  all: readonly (Forged | undefined)[],
  bring: (place: ProtectedPlace, one: Forged | undefined) => Promise<TokenAttempt>,
): Promise<TokenAttempt[]> {
  const tried: TokenAttempt[] = []
  for (const one of all) {
    const last = await bring(place, one)
    tried.push(last)
    if (isServed(last.answer)) break
  }
  return tried
}
