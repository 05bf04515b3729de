import { randomBytes } from 'node:crypto'
import { type Expectation, NotApplicable, labelled } from '../../../../engine/index.ts'
import type { IdentityMode } from '../../../../wire/index.ts'
import { check } from '../../support/define.ts'
import { codeIn } from '../../support/walk.ts'
import type { AuthWorld } from '../../support/world.ts'
import { changed } from '../../support/oauth/granting.ts'
import { hasSpread } from '../../support/oauth/spread.ts'
import {
  arrivals,
  departure,
  givesNoCode,
  otherBrowser,
  tellsError,
  trip,
  wentThere,
  type Ended,
  type Trip,
} from '../../support/oauth/trip.ts'

const patterns = ['oauth-proxy'] as const

/** An address with another value in its query, or without one. */
function withValue(address: URL, name: string, value: string | undefined): URL {
  const url = new URL(address)
  if (value === undefined) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  return url
}

/** A user at the identity provider, with the state that went there. That users come back from there at all is what each refusal is compared with. */
async function withState(world: AuthWorld): Promise<Trip & { state: string }> {
  await arrivals(world)
  const one = await trip(world)
  const { state, query } = one.asked
  if (state !== undefined) return { ...one, state }
  // OAuth 2.1 §2.3.3: whoever asks with PKCE may do without.
  if (query.some(([name]) => name === 'code_challenge'))
    throw new NotApplicable('PKCE takes the place of a state')
  await world.requireMet('AUTH-PROXY-09', 'the identity provider gets no state')
  throw new NotApplicable('the identity provider gets no state')
}

/** How users come back from the identity provider, and who may. */
export const proxyReturn = [
  check('AUTH-PROXY-09', {
    title: 'sends the identity provider a state that nobody can guess, a new one each time',
    patterns,
    async play(world) {
      const first = await trip(world)
      const { state, challenge } = first.ask
      // The same question again, as after a reload: what the state is made of then is the server's own.
      const changes = { state, code_challenge: challenge }
      const others = await Promise.all([trip(world, { changes }), trip(world, { changes })])
      const states = [first, ...others].map(({ asked }) => asked.state)
      const told = () => states.map((one) => one ?? 'none').join(' | ')
      const challenged = first.asked.query.some(([name]) => name === 'code_challenge')
      if (challenged && states.every((one) => one === undefined))
        throw new NotApplicable('PKCE takes the place of a state')
      const given = states.filter((one) => one !== undefined)
      const is = (
        name: string,
        expected: string,
        test: () => boolean,
      ): Expectation<readonly (string | undefined)[]> => ({ name, expected, test, received: told })
      world.expectOf(
        states,
        is('sends a state', 'a state, or PKCE', () => given.length === states.length),
        is('is not the state of its client', 'a state of its own', () =>
          given.every((one) => one !== state),
        ),
        is('is new each time', 'states that differ', () => new Set(given).size === given.length),
        is('is unguessable', 'states that differ in more than a counter or the time', () =>
          hasSpread(given),
        ),
      )
    },
  }),

  check('AUTH-PROXY-10', {
    title: 'gives no code for a return with another state than it sent',
    patterns,
    async play(world) {
      const ways: Readonly<Record<string, (state: string) => string | undefined>> = {
        'a state that differs in a character': changed,
        'an invented state': ({ length }) =>
          randomBytes(length).toString('base64url').slice(0, length),
        'no state': () => undefined,
      }
      await Promise.all(
        Object.entries(ways).map(async ([label, change]) => {
          const { state, callback, goOn } = await withState(world)
          world.expectOf(
            await goOn(withValue(callback, 'state', change(state))),
            labelled(label, givesNoCode),
          )
        }),
      )
    },
  }),

  check('AUTH-PROXY-11', {
    title: 'gives no code for a return in another browser than the one that left',
    patterns,
    async play(world) {
      await arrivals(world)
      const [one, another, third] = await Promise.all([trip(world), trip(world), trip(world)])
      world.expectOf(
        await one.goOn(one.callback, otherBrowser(world, one)),
        labelled('a browser that is new to the server', givesNoCode),
      )
      // The other one is on its own way there, and has whatever the server gave it for that.
      world.expectOf(
        await another.goOn(third.callback),
        labelled('a browser that left on its own behalf', givesNoCode),
      )
    },
  }),

  check('AUTH-PROXY-12', {
    title: 'tells its client an error when the identity provider denies',
    patterns,
    async play(world) {
      await arrivals(world)
      const { goOn, callback } = await trip(world, { choice: { mode: 'deny' } })
      world.expectOf(await goOn(callback), givesNoCode, tellsError)
    },
  }),

  check('AUTH-PROXY-16', {
    title: 'gives no code when the identity provider gives no token, or no user',
    patterns,
    async play(world) {
      await arrivals(world)
      const modes: readonly IdentityMode[] = [
        'no token',
        'no token, with status 200',
        'no user',
        'malformed user',
      ]
      await Promise.all(
        modes.map(async (mode) => {
          const { goOn, callback } = await trip(world, { choice: { mode } })
          // That a user is told in place of the client is legal: who has failed is no client's mistake.
          const ended = await goOn(callback)
          world.expectOf(
            ended,
            labelled(mode, givesNoCode),
            ...(ended.back === undefined ? [] : [labelled(mode, tellsError)]),
          )
        }),
      )
    },
  }),

  check('AUTH-PROXY-17', {
    title: 'gives no second code for a return that comes again',
    patterns,
    async play(world) {
      const { goOn, again, callback } = await withState(world)
      const first = await goOn(callback)
      const code = codeIn(first)
      if (code === undefined) await world.requireMet('AUTH-AUTHORIZE-01', first.summary)
      const noOther: Expectation<Ended> = {
        name: 'gives no other code',
        expected: 'no code but the first one',
        test: (ended) => [undefined, code].includes(codeIn(ended)),
      }
      world.expectOf(await goOn(callback), labelled('the same return', noOther))
      // The identity provider has not seen that state come back: with a code that it gave just now, only the state is used.
      const second = await again()
      if (second !== undefined)
        world.expectOf(await goOn(second), labelled('a new code with the same state', noOther))
    },
  }),

  check('AUTH-PROXY-18', {
    title: 'gives a code only to whom the identity provider knows',
    patterns,
    async play(world) {
      const departed = await departure(world)
      const {
        walk: { back, summary },
        asked,
      } = departed
      const first: Expectation<Ended> = {
        name: 'asks the identity provider first',
        expected: 'the identity provider before a code',
        test: (ended) => asked !== undefined || codeIn(ended) === undefined,
      }
      world.expectOf({ back, summary }, first)
      wentThere(departed)
      await arrivals(world)
      const { callback, goOn } = await trip(world)
      world.expectOf(
        await goOn(withValue(callback, 'code', randomBytes(20).toString('hex'))),
        labelled('a code that the identity provider never gave', givesNoCode),
      )
    },
  }),
]
