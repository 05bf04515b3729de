import type { Forged, HttpExchange, JwtMint } from '../../../../wire/index.ts'
import { RogueKeyServer } from '../../../../wire/fakes/rogue-key-server.ts'
import { mintToken, newMintFor, opaqueTokenNotCovered } from '../token-mint.ts'
import { isServed, type ProtectedEndpoint } from '../protected-endpoints.ts'
import type { AuthWorld } from '../world.ts'

/** A request to an endpoint, without a token or with a forged one. */
export interface TokenAttempt {
  readonly endpoint: ProtectedEndpoint
  readonly exchange: HttpExchange
  /** The token that was sent; undefined without an Authorization header. */
  readonly forged: Forged | undefined
}

/** The attempts at all endpoints that accept a valid token. */
export interface ForgeryRound {
  /**
   * The first endpoint that accepts a valid token. Tokens that are tried at only one endpoint are
   * sent to this one.
   */
  readonly mainEndpoint: ProtectedEndpoint
  /** All endpoints that accept a valid token. Endpoints that end a session are last. */
  readonly endpoints: readonly ProtectedEndpoint[]
  readonly attempts: readonly TokenAttempt[]
  /** The paths that the server requested from the rogue key server. */
  readonly requestedPaths: readonly string[]
}

/** The mint of the run. Undefined if the target file contains only an opaque token. */
const findMint = (world: AuthWorld): Promise<JwtMint | undefined> =>
  world.shared('mint', async ({ auth, clock, knownValues }) => {
    const mint = newMintFor(auth, () => clock.realTime())
    if (mint === undefined) return undefined
    for (const { token } of [{ token: mint.validToken() }, ...mint.variants(), ...mint.open()])
      knownValues.add(token, 'token')
    return mint
  })

/**
 * Returns the object that signs the tokens of the run. All checks share it and its valid token.
 * Throws `NotCovered` if the target file contains only an opaque token.
 */
export async function getMint(world: AuthWorld): Promise<JwtMint> {
  const mint = await findMint(world)
  if (mint === undefined) throw opaqueTokenNotCovered()
  return mint
}

/** Returns the valid token of the run, which may be opaque. */
export const getValidToken = async (world: AuthWorld): Promise<string> =>
  (await findMint(world))?.validToken() ?? mintToken(world.auth, world.clock.realTime()).token

/** Returns valid tokens of other forms; none if the secret is not known. */
export const getVariants = async (world: AuthWorld): Promise<ReturnType<JwtMint['variants']>> =>
  (await findMint(world))?.variants() ?? []

/**
 * Runs the round of forged tokens, once in a run. Every endpoint receives a request without a token
 * and one with each forged token, except the oversized token. No token is forged if the target file
 * contains only an opaque one. Endpoints with `isFurther`, which are variants of other endpoints,
 * receive only one forged token.
 */
export const getForgeryRound = (world: AuthWorld): Promise<ForgeryRound> =>
  world.shared('round of forged tokens', runForgeryRound)

/** The attempts at the main endpoint. */
export const attemptsAtMain = ({ mainEndpoint, attempts }: ForgeryRound): readonly TokenAttempt[] =>
  attempts.filter(({ endpoint }) => endpoint === mainEndpoint)

async function runForgeryRound(world: AuthWorld): Promise<ForgeryRound> {
  const endpoints = (await world.probeEndpoints())
    .filter(({ exchange }) => isServed(exchange))
    .map(({ endpoint }) => endpoint)
  const mint = await findMint(world)
  const validToken = await getValidToken(world)
  const keyServer = await RogueKeyServer.start()
  try {
    const mainEndpoint = endpoints[0]!
    // Sends the valid token first. A server that caches valid tokens then has it in its cache when
    // the forged tokens arrive.
    await world.send(mainEndpoint.request(`Bearer ${validToken}`))
    const forged = (mint?.forged(keyServer.url) ?? []).filter(({ forgery }) => forgery !== 'size')
    const sendAttempt = async (
      endpoint: ProtectedEndpoint,
      one: Forged | undefined,
    ): Promise<TokenAttempt> => ({
      endpoint,
      forged: one,
      exchange: await world.send(
        endpoint.request(one === undefined ? undefined : `Bearer ${one.token}`),
      ),
    })
    // This request is sent alone and first, so that it most likely uses the connection on which the
    // valid token was sent.
    const first = await sendAttempt(mainEndpoint, undefined)
    const wrongSecret = forged.filter(({ forgery }) => forgery === 'secret').slice(-1)
    const [ending, others] = [
      endpoints.filter(endsSession),
      endpoints.filter((endpoint) => !endsSession(endpoint)),
    ]
    const attempts = [
      first,
      ...(await Promise.all(
        others.flatMap((endpoint) =>
          [undefined, ...(endpoint.isFurther ? wrongSecret : forged)].map((one) =>
            sendAttempt(endpoint, one),
          ),
        ),
      )),
    ]
    for (const endpoint of ending)
      attempts.push(...(await attemptOneByOne(endpoint, [undefined, ...forged], sendAttempt)))
    return {
      mainEndpoint,
      endpoints: [...others, ...ending],
      attempts,
      requestedPaths: [...keyServer.requestedPaths],
    }
  } finally {
    await keyServer.close()
  }
}

/** Whether a request that succeeds at the endpoint ends the session. */
const endsSession = ({ method }: ProtectedEndpoint): boolean => method === 'DELETE'

/**
 * Sends one attempt at a time. Stops after an attempt that succeeds, because it ends the session.
 */
async function attemptOneByOne(
  endpoint: ProtectedEndpoint,
  all: readonly (Forged | undefined)[],
  sendAttempt: (endpoint: ProtectedEndpoint, one: Forged | undefined) => Promise<TokenAttempt>,
): Promise<TokenAttempt[]> {
  const attempts: TokenAttempt[] = []
  for (const one of all) {
    const last = await sendAttempt(endpoint, one)
    attempts.push(last)
    if (isServed(last.exchange)) break
  }
  return attempts
}
