import { randomBytes } from 'node:crypto'
import { type Expectation, NotApplicable, labelled } from '../../../../engine/index.ts'
import type { IdentityMode } from '../../../../wire/index.ts'
import { check } from '../../support/define.ts'
import { codeIn, returnedParameters } from '../../support/authorization-flow.ts'
import type { AuthWorld } from '../../support/world.ts'
import { changeOneCharacter } from '../../support/oauth/clients-and-codes.ts'
import { looksRandom } from '../../support/oauth/randomness.ts'
import {
  upstreamTokens,
  startUpstreamFlow,
  returnsNoCode,
  newOtherBrowser,
  returnsError,
  startUpstreamLogin,
  requireUpstreamRequest,
  type FlowEnd,
  type UpstreamLogin,
} from '../../support/oauth/upstream-login.ts'

const patterns = ['oauth-proxy'] as const

/** Returns the URL with another value of a query parameter, or without the parameter. */
function withValue(address: URL, name: string, value: string | undefined): URL {
  const url = new URL(address)
  if (value === undefined) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  return url
}

/**
 * Starts a login at the identity provider. Returns it with the state that the server sent there.
 * First runs other flows, `upstreamTokens`, which show that the server does not refuse every
 * callback.
 */
async function startLoginWithState(world: AuthWorld): Promise<UpstreamLogin & { state: string }> {
  await upstreamTokens(world)
  const login = await startUpstreamLogin(world)
  const { state, query } = login.upstreamRequest
  if (state !== undefined) return { ...login, state }
  // With PKCE, a client may omit the state (OAuth 2.1 §2.3.3).
  if (query.some(([name]) => name === 'code_challenge'))
    throw new NotApplicable(
      'the server sends a PKCE challenge to the identity provider, and no state',
    )
  await world.requireMet('AUTH-PROXY-09', 'the identity provider receives no state')
  throw new NotApplicable('the identity provider receives no state')
}

/**
 * Expects that the server issues no code while the identity provider fails in each of these ways.
 */
async function expectNoCodes(world: AuthWorld, modes: readonly IdentityMode[]): Promise<void> {
  await upstreamTokens(world)
  await Promise.all(
    modes.map(async (mode) => {
      const { continueAt, callback } = await startUpstreamLogin(world, { behavior: { mode } })
      const end = await continueAt(callback)
      world.expectValue(
        end,
        labelled(mode, returnsNoCode),
        // A server may report this error to the user instead of the client.
        ...(end.destination === undefined ? [] : [labelled(mode, returnsError)]),
      )
    }),
  )
}

/** Checks of the user's return from the identity provider. */
export const proxyReturnChecks = [
  check('AUTH-PROXY-09', {
    title: 'sends the identity provider a new unguessable state each time',
    patterns,
    async run(world) {
      const first = await startUpstreamLogin(world)
      const { state, challenge } = first.authorization
      // Sends the client's request again, as after a reload. Only the state that the server
      // generates may then differ.
      const changes = { state, code_challenge: challenge }
      const others = await Promise.all([
        startUpstreamLogin(world, { changes }),
        startUpstreamLogin(world, { changes }),
      ])
      const states = [first, ...others].map(({ upstreamRequest }) => upstreamRequest.state)
      const describeStates = () => states.map((one) => one ?? 'none').join(' | ')
      const challenged = first.upstreamRequest.query.some(([name]) => name === 'code_challenge')
      if (challenged && states.every((one) => one === undefined))
        throw new NotApplicable(
          'the server sends a PKCE challenge to the identity provider, and no state',
        )
      const sent = states.filter((one) => one !== undefined)
      const expectStates = (
        name: string,
        expected: string,
        test: () => boolean,
      ): Expectation<readonly (string | undefined)[]> => ({
        name,
        expected,
        test,
        received: describeStates,
      })
      world.expectValue(
        states,
        expectStates('sends a state', 'a state, or PKCE', () => sent.length === states.length),
        expectStates("differs from the client's state", "a state other than the client's", () =>
          sent.every((one) => one !== state),
        ),
        expectStates(
          'is new each time',
          'different states',
          () => new Set(sent).size === sent.length,
        ),
        expectStates(
          'is unguessable',
          'states that differ in more than a counter or the time',
          () => looksRandom(sent),
        ),
      )
    },
  }),

  check('AUTH-PROXY-10', {
    title: 'issues no code for a callback with a wrong state',
    patterns,
    async run(world) {
      const changes: Readonly<Record<string, (state: string) => string | undefined>> = {
        'a state that differs in a character': changeOneCharacter,
        'an invented state': ({ length }) =>
          randomBytes(length).toString('base64url').slice(0, length),
        'no state': () => undefined,
      }
      await Promise.all(
        Object.entries(changes).map(async ([label, change]) => {
          const { state, callback, continueAt } = await startLoginWithState(world)
          world.expectValue(
            await continueAt(withValue(callback, 'state', change(state))),
            labelled(label, returnsNoCode),
          )
        }),
      )
    },
  }),

  check('AUTH-PROXY-11', {
    title: 'issues no code if another browser sends the callback',
    patterns,
    async run(world) {
      await upstreamTokens(world)
      const [first, second, third] = await Promise.all([
        startUpstreamLogin(world),
        startUpstreamLogin(world),
        startUpstreamLogin(world),
      ])
      world.expectValue(
        await first.continueAt(first.callback, newOtherBrowser(world, first)),
        labelled('a browser without cookies', returnsNoCode),
      )
      // The browser of a separate flow has the cookies of that flow.
      world.expectValue(
        await second.continueAt(third.callback),
        labelled('a browser in a separate flow', returnsNoCode),
      )
    },
  }),

  check('AUTH-PROXY-12', {
    title: 'returns an error to its client if the identity provider denies access',
    patterns,
    async run(world) {
      await upstreamTokens(world)
      const { continueAt, callback } = await startUpstreamLogin(world, {
        behavior: { mode: 'deny' },
      })
      world.expectValue(await continueAt(callback), returnsNoCode, returnsError)
    },
  }),

  check('AUTH-PROXY-16', {
    title: 'issues no code if the identity provider returns no token',
    patterns,
    run: (world) => expectNoCodes(world, ['error with status 400', 'error with status 200']),
  }),

  check('AUTH-PROXY-21', {
    title: 'issues no code if the identity provider returns no user',
    patterns,
    run: (world) => expectNoCodes(world, ['no user', 'malformed user']),
  }),

  check('AUTH-PROXY-24', {
    title: 'returns access_denied to its client if the identity provider denies access',
    patterns,
    async run(world) {
      const { continueAt, callback } = await startUpstreamLogin(world, {
        behavior: { mode: 'deny' },
      })
      const end = await continueAt(callback)
      const { error } = returnedParameters(end)
      if (error === undefined) {
        await world.requireMet('AUTH-PROXY-12', end.summary)
        throw new NotApplicable('the client receives no error')
      }
      world.expectValue(end, {
        name: 'returns access_denied',
        expected: 'the error access_denied',
        test: () => error === 'access_denied',
        received: () => `the error ${error}`,
      })
    },
  }),

  check('AUTH-PROXY-25', {
    title: 'issues no code for a token of an unknown type',
    patterns,
    run: (world) => expectNoCodes(world, ['unknown token type']),
  }),

  check('AUTH-PROXY-17', {
    title: 'issues no second code for a repeated callback',
    patterns,
    async run(world) {
      const { continueAt, repeatUpstreamRequest, callback } = await startLoginWithState(world)
      const first = await continueAt(callback)
      const code = codeIn(first)
      if (code === undefined) await world.requireMet('AUTH-AUTHORIZE-01', first.summary)
      const noOther: Expectation<FlowEnd> = {
        name: 'returns no other code',
        expected: 'no second authorization code',
        test: (end) => [undefined, code].includes(codeIn(end)),
      }
      world.expectValue(await continueAt(callback), labelled('the same callback', noOther))
      // The upstream code is new, so only the state has been used before.
      const second = await repeatUpstreamRequest()
      if (second !== undefined)
        world.expectValue(
          await continueAt(second),
          labelled('a callback with a new code and the same state', noOther),
        )
    },
  }),

  check('AUTH-PROXY-18', {
    title: 'issues a code only after the identity provider has authenticated the user',
    patterns,
    async run(world) {
      const redirect = await startUpstreamFlow(world)
      const {
        flow: { destination, summary },
        upstreamRequest,
      } = redirect
      const first: Expectation<FlowEnd> = {
        name: 'asks the identity provider first',
        expected: 'a request to the identity provider before the authorization code',
        test: (end) => upstreamRequest !== undefined || codeIn(end) === undefined,
      }
      world.expectValue({ destination, summary }, first)
      requireUpstreamRequest(redirect)
      await upstreamTokens(world)
      const { callback, continueAt } = await startUpstreamLogin(world)
      world.expectValue(
        await continueAt(withValue(callback, 'code', randomBytes(20).toString('hex'))),
        labelled('a code that the identity provider did not issue', returnsNoCode),
      )
    },
  }),
]
