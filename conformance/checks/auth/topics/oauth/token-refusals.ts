import { randomBytes } from 'node:crypto'
import { labelled, NotApplicable, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import { swapCase } from '../../../../wire/swap-case.ts'
import { codeIn } from '../../support/authorization-flow.ts'
import { challengeOf } from '../../support/flow-request.ts'
import { check, oauth } from '../../support/define.ts'
import { basicCredential, buildTokenEndpointRequest, type Grant } from '../../support/grant.ts'
import { hasStatus, refusedWith } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import { hasHeader } from '../../support/contract.ts'
import {
  changeOneCharacter,
  obtainCodes,
  confidentialClient,
  invalidGrant,
  newUnknownToken,
  ownClient,
  expectEachRefused,
  twoClients,
} from '../../support/oauth/clients-and-codes.ts'

/** Replaces the second last character of a challenge. The last one contains unused bits. */
const changeNearEnd = (challenge: string): string =>
  `${challenge.slice(0, -2)}${challenge.at(-2) === 'A' ? 'B' : 'A'}${challenge.slice(-1)}`

const invalidClient = refusedWith([400, 401], 'invalid_client')

/**
 * Expects a refusal if a client exchanges a code of another client with the same authentication
 * method.
 */
async function expectRefusedForOther(
  world: AuthWorld,
  getOwnClient: typeof ownClient,
): Promise<void> {
  const [client, other] = await twoClients(world, getOwnClient)
  await expectEachRefused(world, client, invalidGrant, {
    code: (grant) => world.newTokenRequest(grant, {}, other),
  })
}

/** Checks of refused token requests. */
export const tokenRefusalsChecks = [
  check('AUTH-TOKEN-04', {
    title: 'refuses the wrong verifier',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest } = world
      await expectEachRefused(world, await ownClient(world), invalidGrant, {
        'another verifier': (grant) => newTokenRequest(grant, { code_verifier: newUnknownToken() }),
        'the challenge': (grant) =>
          newTokenRequest(grant, { code_verifier: grant.authorization.challenge }),
        'one character changed': (grant) =>
          newTokenRequest(grant, {
            code_verifier: changeOneCharacter(grant.authorization.verifier),
          }),
        'one character more': (grant) =>
          newTokenRequest(grant, { code_verifier: `${grant.authorization.verifier}A` }),
      })
    },
  }),
  check('AUTH-TOKEN-04', {
    title: 'refuses the verifier of a later flow of the same client',
    patterns: oauth,
    async run(world) {
      const client = await ownClient(world)
      const [first, last] = [
        await world.obtainGrant({}, client),
        await world.obtainGrant({}, client),
      ]
      const code_verifier = last.authorization.verifier
      const refused = await world.send(await world.newTokenRequest(first, { code_verifier }))
      // The approval of the later flow may have ended the earlier one, so only the later code must
      // be accepted.
      world.readTokens(await world.sendOrBlock(await world.newTokenRequest(last)), last)
      world.expect(refused, labelled('the verifier of a later flow', invalidGrant))
    },
  }),
  check('AUTH-TOKEN-04', {
    title: 'refuses the wrong verifier of a client with a secret',
    door: 'a client with a secret',
    patterns: oauth,
    async run(world) {
      const client = await confidentialClient(world)
      await expectEachRefused(world, client, invalidGrant, {
        verifier: (grant) => world.newTokenRequest(grant, { code_verifier: newUnknownToken() }),
      })
    },
  }),
  check('AUTH-TOKEN-04', {
    title: 'refuses a verifier with upper and lower case swapped',
    door: 'a verifier with upper and lower case swapped',
    patterns: oauth,
    async run(world) {
      const { obtainGrant, newTokenRequest, expectRefused, knownValues } = world
      const client = await ownClient(world)
      // The verifier is in lower case, so a server that wrongly converts verifiers to lower case
      // accepts it in upper case.
      const obtainInLowerCase = async () => {
        const code_verifier = knownValues.add(newUnknownToken().toLowerCase(), 'verifier')
        const code_challenge = challengeOf(code_verifier)
        return { grant: await obtainGrant({ code_challenge }, client), code_verifier }
      }
      const [first, last] = [await obtainInLowerCase(), await obtainInLowerCase()]
      await expectRefused(
        await newTokenRequest(first.grant, { code_verifier: swapCase(first.code_verifier) }),
        invalidGrant,
        { contrast: await newTokenRequest(last.grant, { code_verifier: last.code_verifier }) },
      )
    },
  }),
  check('AUTH-TOKEN-04', {
    title: 'refuses a verifier whose hash is only similar to the challenge',
    patterns: oauth,
    async run(world) {
      const client = await ownClient(world)
      const changes: Readonly<Record<string, (challenge: string) => string>> = {
        'a challenge that differs near its end': changeNearEnd,
        'a challenge with upper and lower case swapped': swapCase,
      }
      const responses: (readonly [label: string, response: HttpExchange])[] = []
      for (const [label, change] of Object.entries(changes)) {
        const code_verifier = world.knownValues.add(newUnknownToken(), 'verifier')
        const code_challenge = world.knownValues.add(
          change(challengeOf(code_verifier)),
          'challenge',
        )
        const grant = await world.obtainGrant({ code_challenge }, client)
        const request = await world.newTokenRequest(grant, { code_verifier })
        responses.push([label, await world.send(request)])
      }
      // The approval of a later flow may have ended the earlier ones, so only the last code must be
      // accepted.
      const last = await world.obtainGrant({}, client)
      world.readTokens(await world.sendOrBlock(await world.newTokenRequest(last)), last)
      for (const [label, response] of responses)
        world.expect(response, labelled(label, invalidGrant))
    },
  }),
  check('AUTH-TOKEN-04', {
    title: 'does not read a challenge without a method as S256',
    patterns: oauth,
    async run(world) {
      const client = await ownClient(world)
      const authorization = await world.newAuthorizationRequest(
        { code_challenge_method: undefined },
        client,
      )
      const flow = await world.runFlow(authorization)
      const code = codeIn(flow)
      if (code === undefined) {
        await world.requireMet('AUTH-AUTHORIZE-01')
        throw new NotApplicable('the server requires a method')
      }
      world.expect(
        await world.send(await world.newTokenRequest({ client, authorization, flow, code })),
        labelled('the verifier whose S256 hash is the challenge', invalidGrant),
      )
    },
  }),
  check('AUTH-TOKEN-05', {
    title: 'refuses a code without a verifier',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest } = world
      await expectEachRefused(world, await ownClient(world), hasStatus(400), {
        'no verifier': (grant) => newTokenRequest(grant, { code_verifier: undefined }),
        'an empty verifier': (grant) => newTokenRequest(grant, { code_verifier: '' }),
      })
    },
  }),
  check('AUTH-TOKEN-27', {
    title: 'refuses a secret in the header and in the body of one request',
    patterns: oauth,
    async run(world) {
      const client = await confidentialClient(world, 'client_secret_basic')
      await expectEachRefused(world, client, hasStatus(400, 401), {
        'two secrets': (grant) => world.newTokenRequest(grant, { client_secret: client.secret }),
      })
    },
  }),
  check('AUTH-TOKEN-06', {
    title: 'refuses an unknown client',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest } = world
      await expectEachRefused(world, await ownClient(world), invalidClient, {
        client: (grant) =>
          newTokenRequest(
            grant,
            {},
            { ...grant.client, id: `touchstone-${randomBytes(8).toString('hex')}` },
          ),
      })
    },
  }),
  check('AUTH-TOKEN-07', {
    title: 'refuses a wrong client secret in the body',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest } = world
      const client = await confidentialClient(world)
      await expectEachRefused(world, client, invalidClient, {
        'another secret': (grant) => newTokenRequest(grant, { client_secret: newUnknownToken() }),
        'one character changed': (grant) =>
          newTokenRequest(grant, { client_secret: changeOneCharacter(client.secret!) }),
        'no secret': (grant) => newTokenRequest(grant, { client_secret: undefined }),
      })
    },
  }),
  check('AUTH-TOKEN-07', {
    title: 'refuses the secret of another client',
    patterns: oauth,
    async run(world) {
      const [client, other] = await twoClients(world, confidentialClient)
      const [grant, last] = await obtainCodes(world, client, 2)
      const response = await world.send(
        await world.newTokenRequest(grant!, { client_secret: other.secret }),
      )
      // This valid request is not compared with the refused one: they differ only in the secret,
      // which is masked in comparisons.
      await world.sendOrBlock(await world.newTokenRequest(last!))
      world.expect(response, invalidClient)
    },
  }),
  check('AUTH-TOKEN-07', {
    title: 'refuses a wrong client secret in the Authorization header with 401',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest } = world
      const client = await confidentialClient(world, 'client_secret_basic')
      const newRequestWith =
        (secret: string) =>
        async (grant: Grant): Promise<HttpRequest> => {
          const request = await newTokenRequest(grant)
          return {
            ...request,
            headers: { ...request.headers, Authorization: basicCredential(client.id, secret) },
          }
        }
      const isChallenged: Expectation<HttpExchange> = {
        ...refusedWith([401], 'invalid_client'),
        expected: 'status 401, the error invalid_client, and WWW-Authenticate with Basic',
        test: (exchange) =>
          refusedWith([401], 'invalid_client').test(exchange) &&
          hasHeader('AUTH-TOKEN-07').test(exchange),
      }
      await expectEachRefused(world, client, isChallenged, {
        'another secret': newRequestWith(newUnknownToken()),
        'one character changed': newRequestWith(changeOneCharacter(client.secret!)),
      })
    },
  }),
  check('AUTH-TOKEN-08', {
    title: 'refuses a code of another client',
    door: 'a client without a secret',
    patterns: oauth,
    run: (world) => expectRefusedForOther(world, ownClient),
  }),
  check('AUTH-TOKEN-08', {
    title: 'refuses a code of another client with a secret',
    door: 'a client with a secret',
    patterns: oauth,
    run: (world) => expectRefusedForOther(world, confidentialClient),
  }),
  check('AUTH-TOKEN-09', {
    title: 'refuses a code that was not issued',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest } = world
      await expectEachRefused(world, await ownClient(world), invalidGrant, {
        'an invented code': (grant) => newTokenRequest(grant, { code: newUnknownToken() }),
        'one character changed': (grant) =>
          newTokenRequest(grant, { code: changeOneCharacter(grant.code) }),
        'a code cut short': (grant) => newTokenRequest(grant, { code: grant.code.slice(0, -4) }),
      })
    },
  }),
  check('AUTH-TOKEN-14', {
    title: 'refuses the password grant',
    patterns: oauth,
    async run(world) {
      const { auth, findEndpoints, newTokenRequest, expectRefused, send, expect } = world
      const client = await ownClient(world)
      const [first, last] = await obtainCodes(world, client, 2)
      // A server that first checks the grant types of the client may return `unauthorized_client`.
      const unsupported = refusedWith([400], 'unsupported_grant_type', 'unauthorized_client')
      // Uses the user's credentials in the target file, if there are any: wrong ones would be
      // another reason for a refusal.
      const [username = 'touchstone', password = 'touchstone'] = Object.values(auth.form ?? {})
      const passwordRequest = buildTokenEndpointRequest(
        'token',
        (await findEndpoints()).token,
        client,
        {
          grant_type: 'password',
          username,
          password,
        },
      )
      await Promise.all([
        expectRefused(await newTokenRequest(first!, { grant_type: 'password' }), unsupported, {
          contrast: await newTokenRequest(last!),
          label: 'a request with a code',
        }),
        send(passwordRequest).then((response) =>
          expect(response, labelled('a request with a password', unsupported)),
        ),
      ])
    },
  }),
  check('AUTH-TOKEN-15', {
    title: 'refuses a request without grant_type',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest } = world
      // Only the status is judged, because some servers report an unsupported grant type instead of
      // an invalid request.
      await expectEachRefused(world, await ownClient(world), hasStatus(400), {
        grant_type: (grant) => newTokenRequest(grant, { grant_type: undefined }),
      })
    },
  }),
  check('AUTH-TOKEN-16', {
    title: 'refuses a repeated parameter',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest } = world
      // Repeats only parameters that the grant needs, because a server ignores unknown ones, even
      // if they are repeated.
      await expectEachRefused(world, await ownClient(world), hasStatus(400), {
        code: (grant) => newTokenRequest(grant, { code: [grant.code, grant.code] }),
        code_verifier: (grant) =>
          newTokenRequest(grant, {
            code_verifier: [grant.authorization.verifier, grant.authorization.verifier],
          }),
        grant_type: (grant) =>
          newTokenRequest(grant, { grant_type: ['authorization_code', 'authorization_code'] }),
      })
    },
  }),
]
