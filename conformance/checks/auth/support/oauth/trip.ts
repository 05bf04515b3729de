import { Blocked, type Expectation, NotCovered } from '../../../../engine/index.ts'
import type { IdentityAuthorization, IdentityBehavior } from '../../../../wire/index.ts'
import { Browser } from '../../../../wire/oauth/browser.ts'
import { decide } from '../../../../wire/oauth/consent.ts'
import type { Ask, Changes } from '../ask.ts'
import type { Grant, Tokens } from '../grant.ts'
import { codeIn, leadsTo, summaryOf, told, type Walk } from '../walk.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** Where a browser ended. */
export interface Ended {
  /** An address of the client, to which it was sent back; nobody asked there. */
  readonly back: URL | undefined
  /** The same, or what came instead, in one line. */
  readonly summary: string
}

/** A way that began at /authorize and led to the identity provider, or did not. */
export interface Departure {
  readonly ask: Ask
  /** Ends where the identity provider sends the browser back to the server: nobody asked there. */
  readonly walk: Walk
  readonly browser: Browser
  /** What the identity provider was asked; undefined where it was not. */
  readonly asked: IdentityAuthorization | undefined
  /** Goes on from an address to wherever that leads: in the same browser, or in another one. */
  goOn(address: URL, browser?: Browser): Promise<Ended>
  /** Asks the identity provider once more for the same: gives the address by which it sends the browser back then. */
  again(): Promise<URL | undefined>
}

/** A user whom the server has sent to the identity provider, and who is about to be sent back. */
export interface Trip extends Departure {
  readonly asked: IdentityAuthorization
  /** The address by which the identity provider sends the browser back to the server. */
  readonly callback: URL
}

/** A user who has been at the identity provider, and the tokens that the client got for that. */
export interface Arrival {
  readonly trip: Trip
  readonly tokens: Tokens
}

/** How a departure differs from the usual one. */
interface Manner {
  /** What the identity provider does. */
  choice?: IdentityBehavior
  /** What is asked for otherwise. */
  changes?: Changes
}

export async function departure(
  world: AuthWorld,
  { choice = {}, changes = {} }: Manner = {},
): Promise<Departure> {
  const identity = await world.identity()
  const { form, approve, deny } = world.auth
  const play = identity.override(choice)
  const ask = await world.ask(changes)
  let isHeld = true
  const until = (url: URL) =>
    isHeld &&
    play.authorizations.some(
      ({ redirectUri }) => redirectUri !== undefined && leadsTo(url, redirectUri),
    )
  const walk = await world.walk(ask, 'approve', { play, until })
  const { browser: own, exchanges: before } = walk
  if (own === undefined)
    throw new NotCovered<ToolsNeed>('a program goes to the identity provider, and not the suite', [
      'tools.auth.consent',
    ])
  return {
    ask,
    walk,
    browser: own,
    asked: play.authorizations.at(-1),
    async goOn(address, browser = own) {
      isHeld = false
      // A server may ask its user when he is back.
      const { destination, problem, exchanges } = await decide(
        browser,
        await browser.open(address.href, { operation: 'callback' }),
        'approve',
        { form, approve, deny },
      )
      return { back: destination, summary: summaryOf(destination, problem, exchanges.at(-1)) }
    },
    async again() {
      const there = before.findLast(({ request: { url } }) => identity.owns(new URL(url)))
      isHeld = true
      return there === undefined
        ? undefined
        : (await own.open(there.request.url, { operation: 'identity provider' })).destination
    },
  }
}

/** A user at the identity provider. Where none gets there, the check is blocked by the row that says why. */
export async function trip(world: AuthWorld, manner: Manner = {}): Promise<Trip> {
  const departed = wentThere(await departure(world, manner))
  const { ask, walk, asked } = departed
  if (asked.redirectUri === undefined || walk.back === undefined)
    throw new Blocked('AUTH-AUTHORIZE-01', walk.summary)
  if (returnsToClient(asked, ask))
    throw new Blocked('AUTH-PROXY-14', 'the identity provider is told to send users to the client')
  return { ...departed, asked, callback: walk.back }
}

/** Blocks the check where nobody was sent to the identity provider. */
export function wentThere(departed: Departure): Departure & Pick<Trip, 'asked'> {
  const { asked, walk } = departed
  if (asked === undefined)
    throw new Blocked(
      codeIn(walk) === undefined ? 'AUTH-AUTHORIZE-01' : 'AUTH-PROXY-18',
      walk.summary,
    )
  return { ...departed, asked }
}

/** Whether an identity provider was told to send a user back to the client, and not to the server. */
export const returnsToClient = ({ redirectUri }: IdentityAuthorization, ask: Ask): boolean =>
  redirectUri !== undefined &&
  URL.canParse(redirectUri) &&
  leadsTo(new URL(redirectUri), ask.redirectUri)

/** Two users at the identity provider, made once in a run. */
export const trips = (world: AuthWorld): Promise<readonly Trip[]> =>
  world.shared('two at the identity provider', (common) =>
    Promise.all([trip(common), trip(common)]),
  )

/** The same users, back from there, and the tokens for them. That they come back is what all refusals are compared with. */
export const arrivals = (world: AuthWorld): Promise<readonly Arrival[]> =>
  world.shared('two back from the identity provider', async (common) =>
    Promise.all((await trips(common)).map((one) => arrival(common, one))),
  )

async function arrival(world: AuthWorld, one: Trip): Promise<Arrival> {
  const { ask, callback, walk } = one
  const ended = await one.goOn(callback)
  const code = codeIn(ended)
  if (code === undefined) throw new Blocked('AUTH-AUTHORIZE-01', ended.summary)
  const grant: Grant = {
    client: ask.client,
    ask,
    walk: { ...walk, ...ended },
    code: world.made.add(code, 'code'),
  }
  return {
    trip: one,
    tokens: world.received(await world.sendOrBlock(await world.exchange(grant)), grant),
  }
}

/** A browser that nobody has used yet, on the way of another one. */
export const otherBrowser = ({ send }: AuthWorld, { ask }: Departure): Browser =>
  new Browser({ send, isDestination: (url) => leadsTo(url, ask.redirectUri) })

export const givesNoCode: Expectation<Ended> = {
  name: 'gives no code',
  expected: 'no code',
  test: (ended) => codeIn(ended) === undefined,
}

export const tellsError: Expectation<Ended> = {
  name: 'tells the client an error',
  expected: 'the browser sent back with an error',
  test: (ended) => told(ended)['error'] !== undefined,
}
