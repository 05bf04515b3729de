import { randomBytes } from 'node:crypto'
import { labelled } from '../../../../engine/index.ts'
import type { HttpRequest } from '../../../../wire/index.ts'
import { check, oauth } from '../../support/define.ts'
import { basicOf, tokenRequest, type Grant } from '../../support/grant.ts'
import { hasStatus, refusedWith } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import {
  changed,
  codes,
  confidential,
  invalidGrant,
  invented,
  own,
  refusesEach,
  two,
} from '../../support/oauth/granting.ts'

const invalidClient = refusedWith([400, 401], 'invalid_client')

/** Two clients of one kind, of which the one tries what is the other's. */
async function forAnother(
  world: AuthWorld,
  ours: (name: string) => ReturnType<typeof own>,
): Promise<void> {
  const [client, other] = await two(ours, 'token 08')
  await refusesEach(world, client, invalidGrant, {
    code: (grant) => world.exchange(grant, {}, other),
  })
}

/** Checks of the token endpoint: what it refuses. */
export const tokenRefusals = [
  check('AUTH-TOKEN-04', {
    title: "refuses a verifier that is not the code's",
    patterns: oauth,
    async play(world) {
      const { exchange } = world
      await refusesEach(world, await own(world, 'token 04'), invalidGrant, {
        'another verifier': (grant) => exchange(grant, { code_verifier: invented() }),
        'the challenge': (grant) => exchange(grant, { code_verifier: grant.ask.challenge }),
        'one character changed': (grant) =>
          exchange(grant, { code_verifier: changed(grant.ask.verifier) }),
        'one character more': (grant) =>
          exchange(grant, { code_verifier: `${grant.ask.verifier}A` }),
      })
    },
  }),
  check('AUTH-TOKEN-05', {
    title: 'refuses a code without a verifier',
    patterns: oauth,
    async play(world) {
      const { exchange } = world
      await refusesEach(world, await own(world, 'token 05'), hasStatus(400), {
        'no verifier': (grant) => exchange(grant, { code_verifier: undefined }),
        'an empty one': (grant) => exchange(grant, { code_verifier: '' }),
      })
    },
  }),
  check('AUTH-TOKEN-06', {
    title: 'refuses a client that nobody registered',
    patterns: oauth,
    async play(world) {
      const { exchange } = world
      await refusesEach(world, await own(world, 'token 06'), invalidClient, {
        client: (grant) =>
          exchange(
            grant,
            {},
            { ...grant.client, id: `touchstone-${randomBytes(8).toString('hex')}` },
          ),
      })
    },
  }),
  check('AUTH-TOKEN-07', {
    title: 'refuses a client with a wrong secret in the body',
    patterns: oauth,
    async play(world) {
      const { exchange } = world
      const client = await confidential(world, 'token 07')
      await refusesEach(world, client, invalidClient, {
        'another secret': (grant) => exchange(grant, { client_secret: invented() }),
        'one character changed': (grant) =>
          exchange(grant, { client_secret: changed(client.secret!) }),
        'no secret': (grant) => exchange(grant, { client_secret: undefined }),
      })
    },
  }),
  check('AUTH-TOKEN-07', {
    title: 'refuses a client with a wrong secret in the Authorization header with 401',
    patterns: oauth,
    async play(world) {
      const { exchange } = world
      const client = await confidential(world, 'token 07', 'client_secret_basic')
      const showing =
        (secret: string) =>
        async (grant: Grant): Promise<HttpRequest> => {
          const request = await exchange(grant)
          return {
            ...request,
            headers: { ...request.headers, Authorization: basicOf(client.id, secret) },
          }
        }
      await refusesEach(world, client, refusedWith([401], 'invalid_client'), {
        'another secret': showing(invented()),
        'one character changed': showing(changed(client.secret!)),
      })
    },
  }),
  check('AUTH-TOKEN-08', {
    title: 'refuses a code that was given to another client',
    patterns: oauth,
    play: (world) => forAnother(world, (name) => own(world, name)),
  }),
  check('AUTH-TOKEN-08', {
    title: 'refuses a code that was given to another client, whatever secret comes with it',
    patterns: oauth,
    play: (world) => forAnother(world, (name) => confidential(world, name)),
  }),
  check('AUTH-TOKEN-09', {
    title: 'refuses a code that was never given',
    patterns: oauth,
    async play(world) {
      const { exchange } = world
      await refusesEach(world, await own(world, 'token 09'), invalidGrant, {
        'an invented code': (grant) => exchange(grant, { code: invented() }),
        'one character changed': (grant) => exchange(grant, { code: changed(grant.code) }),
        'a code cut short': (grant) => exchange(grant, { code: grant.code.slice(0, -4) }),
      })
    },
  }),
  check('AUTH-TOKEN-14', {
    title: 'refuses a name and a password',
    patterns: oauth,
    async play(world) {
      const { auth, endpoints, exchange, refuses, send, expect } = world
      const client = await own(world, 'token 14')
      const [first, last] = await codes(world, client, 2)
      // A server may look first at what the client has registered for.
      const unsupported = refusedWith([400], 'unsupported_grant_type', 'unauthorized_client')
      // The user's own, where a form takes them: whatever else was wrong with them would hide the rule.
      const [username = 'touchstone', password = 'touchstone'] = Object.values(auth.form ?? {})
      const asked = tokenRequest('token', (await endpoints()).token, client, {
        grant_type: 'password',
        username,
        password,
      })
      await Promise.all([
        refuses(await exchange(first!, { grant_type: 'password' }), unsupported, {
          contrast: await exchange(last!),
          label: 'with a code',
        }),
        send(asked).then((came) =>
          expect(came, labelled('with a name and a password', unsupported)),
        ),
      ])
    },
  }),
  check('AUTH-TOKEN-15', {
    title: 'refuses a request that does not say what it grants',
    patterns: oauth,
    async play(world) {
      const { exchange } = world
      // Some say that there is no such grant, since nothing names none.
      await refusesEach(world, await own(world, 'token 15'), hasStatus(400), {
        grant_type: (grant) => exchange(grant, { grant_type: undefined }),
      })
    },
  }),
  check('AUTH-TOKEN-16', {
    title: 'refuses a parameter that comes twice',
    patterns: oauth,
    async play(world) {
      const { exchange } = world
      // Those alone that the grant needs: what a server does not know it passes over, however often it comes.
      await refusesEach(world, await own(world, 'token 16'), hasStatus(400), {
        code: (grant) => exchange(grant, { code: [grant.code, grant.code] }),
        code_verifier: (grant) =>
          exchange(grant, { code_verifier: [grant.ask.verifier, grant.ask.verifier] }),
        grant_type: (grant) =>
          exchange(grant, { grant_type: ['authorization_code', 'authorization_code'] }),
      })
    },
  }),
]
