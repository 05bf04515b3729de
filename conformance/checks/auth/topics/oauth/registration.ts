import { Blocked, type Expectation, NotApplicable, labelled } from '../../../../engine/index.ts'
import { clientIn, publicMetadata, webRedirectUri } from '../../support/client.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { hasStatus, members } from '../../support/expectations.ts'
import { toldApart } from '../../support/oauth/apart.ts'
import { needsPages } from '../../support/oauth/walks.ts'
import type { HttpExchange } from '../../../../wire/index.ts'

const hasClientId: Expectation<HttpExchange> = {
  name: 'has a client_id',
  expected: 'client_id, a text',
  test: (exchange) =>
    typeof members(exchange)['client_id'] === 'string' && members(exchange)['client_id'] !== '',
}
const tellsExpiry: Expectation<HttpExchange> = {
  name: 'tells when the secret ends',
  expected: 'client_secret_expires_at, a whole number, 0 or more',
  test: (exchange) =>
    Number.isInteger(members(exchange)['client_secret_expires_at']) &&
    Number(members(exchange)['client_secret_expires_at']) >= 0,
}
const tellsRedirects = (...uris: readonly string[]): Expectation<HttpExchange> => ({
  name: 'tells the redirect URIs',
  expected: `redirect_uris with ${uris.join(', ')}`,
  test: (exchange) => {
    const listed = members(exchange)['redirect_uris']
    // Addresses are compared as such: some servers write them anew.
    const plain = (uri: unknown) =>
      typeof uri === 'string' && URL.canParse(uri) ? new URL(uri).href : uri
    return (
      Array.isArray(listed) && uris.every((uri) => listed.some((one) => plain(one) === plain(uri)))
    )
  },
})
const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
const tellsKinds: Expectation<HttpExchange> = {
  name: 'tells each member as what it is',
  expected: 'names and methods as texts, and lists of texts',
  test: (exchange) => {
    const told = members(exchange)
    const holds = (names: readonly string[], isKind: (value: unknown) => boolean) =>
      names.every((name) => told[name] === undefined || told[name] === null || isKind(told[name]))
    return (
      holds(['client_name', 'token_endpoint_auth_method'], (value) => typeof value === 'string') &&
      holds(['grant_types', 'response_types'], isTexts)
    )
  },
}
const nobody: Expectation<HttpExchange> = {
  name: 'registers nobody',
  expected: 'no status 201, and no client',
  test: (exchange) => {
    const { status = 0 } = exchange
    // What else may be there, such as a page for people, is no client.
    return (
      ((status >= 200 && status < 500) || status === 501) &&
      status !== 201 &&
      members(exchange)['client_id'] === undefined
    )
  },
}
const theirOwn: Expectation<readonly string[]> = {
  name: "are the clients' own",
  expected: 'ids that differ',
  test: (ids) => new Set(ids).size === ids.length,
  received: (ids) => ids.join(', '),
}

export const registration = [
  check('AUTH-REGISTER-01', {
    title: 'registers a client that nobody has configured',
    patterns,
    async play(world) {
      const { endpoints, registering: request, send, expect } = world
      const { root, register } = await endpoints()
      const made = await send(await request())
      if (register === `${root}/register` && [404, 405, 501].includes(made.status ?? 0))
        throw new Blocked('AUTH-ENDPOINT-03', made.summary)
      expect(made, hasStatus(201), hasClientId)
      await toldApart(world, made)
    },
  }),

  check('AUTH-REGISTER-02', {
    title: 'tells when a secret ends, beside it',
    patterns,
    root: 'AUTH-REGISTER-01',
    async play({ registering: request, sendOrBlock, send, expect }) {
      const answers = [
        await sendOrBlock(await request()),
        await send(await request({ token_endpoint_auth_method: 'client_secret_basic' })),
        await send(await request({ token_endpoint_auth_method: 'client_secret_post' })),
        await send(
          await request({
            token_endpoint_auth_method: undefined,
            application_type: undefined,
            redirect_uris: [webRedirectUri],
          }),
        ),
      ]
      const secrets = answers.filter((one) => clientIn(one, {})?.secret !== undefined)
      if (secrets.length === 0) throw new NotApplicable('no client gets a secret')
      for (const one of secrets) expect(one, tellsExpiry)
    },
  }),

  check('AUTH-REGISTER-03', {
    title: 'gives each client an id of its own',
    patterns,
    async play({ registering: request, sendOrBlock, expectOf }) {
      // Those that say the same of themselves may count as one.
      const metadata = [
        {},
        { client_name: 'Touchstone 2' },
        { client_name: 'Touchstone 3', redirect_uris: [webRedirectUri], application_type: 'web' },
        {
          client_name: 'Touchstone 3',
          redirect_uris: [`${webRedirectUri}/3`],
          application_type: 'web',
        },
      ]
      const answers = await Promise.all(
        metadata.map(async (one) => sendOrBlock(await request(one))),
      )
      expectOf(
        answers.map((one) => String(members(one)['client_id'])),
        theirOwn,
      )
    },
  }),

  check('AUTH-REGISTER-04', {
    title: 'tells what it has registered',
    patterns,
    root: 'AUTH-REGISTER-01',
    async play({ registering: request, sendOrBlock, expect }) {
      const redirect_uris = [webRedirectUri, `${webRedirectUri}/2?app=1`]
      expect(
        await sendOrBlock(await request({ redirect_uris, application_type: 'web' })),
        tellsRedirects(...redirect_uris),
        tellsKinds,
      )
    },
  }),

  check('AUTH-REGISTER-04', {
    title: 'tells the name by which it calls a client',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async play(world) {
      needsPages(world)
      const name = 'Curlew Reader'
      const request = await world.registering({ client_name: name })
      const answered = await world.sendOrBlock(request)
      const client = clientIn(
        answered,
        publicMetadata({ redirect_uris: [(await world.client()).redirectUri] }),
      )
      if (client === undefined) throw new Blocked('AUTH-REGISTER-01', answered.summary)
      const shown = (await world.walk(await world.ask({}, client), 'deny')).pages.some(
        ({ text, title }) => `${title} ${text}`.includes(name),
      )
      // A name that it does not keep, it need not tell.
      world.expect(answered, {
        name: 'tells the name that its page shows',
        expected: 'client_name',
        test: (one) => !shown || members(one)['client_name'] !== undefined,
      })
    },
  }),

  check('AUTH-REGISTER-09', {
    title: 'registers nobody where clients may not register by themselves',
    patterns,
    async play({ auth, endpoints, asking, send, expect }) {
      if (auth.registration !== false) throw new NotApplicable('clients may register by themselves')
      const { register } = await endpoints()
      const none = {
        client_name: undefined,
        grant_types: undefined,
        response_types: undefined,
        application_type: undefined,
      }
      const attempts = {
        'a public client': {},
        'a confidential client': { token_endpoint_auth_method: 'client_secret_basic' },
        'a web client': {
          ...none,
          token_endpoint_auth_method: undefined,
          redirect_uris: [webRedirectUri],
        },
      }
      for (const [label, metadata] of Object.entries(attempts))
        expect(await send(asking(register, metadata)), labelled(label, nobody))
    },
  }),

  check('AUTH-REGISTER-10', {
    title: 'takes or refuses redirect URIs with http elsewhere than on loopback',
    patterns,
    root: 'AUTH-REGISTER-01',
    async play({ registering: request, send, observe }) {
      const { status } = await send(
        await request({
          redirect_uris: ['http://client.touchstone.example/back'],
          application_type: 'web',
        }),
      )
      observe(
        `a redirect URI with http elsewhere than on loopback is answered with ${status ?? 'nothing'}`,
      )
    },
  }),

  check('AUTH-REGISTER-11', {
    title: 'takes or refuses redirect URIs with a fragment',
    patterns,
    root: 'AUTH-REGISTER-01',
    async play({ registering: request, send, observe }) {
      const { status } = await send(
        await request({ redirect_uris: [`${webRedirectUri}#here`], application_type: 'web' }),
      )
      observe(`a redirect URI with a fragment is answered with ${status ?? 'nothing'}`)
    },
  }),
]
