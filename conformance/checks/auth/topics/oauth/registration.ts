import { Blocked, type Expectation, NotApplicable, labelled } from '../../../../engine/index.ts'
import { conformsTo, hasMember } from '../../support/contract.ts'
import { clientIn, publicMetadata, webRedirectUri } from '../../support/client.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { hasStatus, members } from '../../support/expectations.ts'
import { requireDistinctClientIds } from '../../support/oauth/distinct-client-ids.ts'
import { requireConsentPage } from '../../support/oauth/flows.ts'
import type { HttpExchange } from '../../../../wire/index.ts'

const hasRedirectUris = (...uris: readonly string[]): Expectation<HttpExchange> => ({
  name: 'returns the redirect URIs',
  expected: `redirect_uris with ${uris.join(', ')}`,
  test: (exchange) => {
    const listed = members(exchange)['redirect_uris']
    // URLs are compared after normalization, because some servers normalize them.
    const normalize = (uri: unknown) =>
      typeof uri === 'string' && URL.canParse(uri) ? new URL(uri).href : uri
    return (
      Array.isArray(listed) &&
      uris.every((uri) => listed.some((one) => normalize(one) === normalize(uri)))
    )
  },
})
const registersNone: Expectation<HttpExchange> = {
  name: 'registers no client',
  expected: 'a refusal (any status except 201), and no client_id',
  test: (exchange) => {
    const { status = 0 } = exchange
    // The URL may return something else, such as a page.
    return (
      ((status >= 200 && status < 500) || status === 501) &&
      status !== 201 &&
      members(exchange)['client_id'] === undefined
    )
  },
}
const areUnique: Expectation<readonly string[]> = {
  name: 'are unique',
  expected: 'a different client_id for each client',
  test: (ids) => new Set(ids).size === ids.length,
  received: (ids) => ids.join(', '),
}

export const registrationChecks = [
  check('AUTH-REGISTER-01', {
    title: 'registers an unknown client',
    patterns,
    async run(world) {
      const { findEndpoints, newRegistrationRequest, send, expect } = world
      const { root, register } = await findEndpoints()
      const response = await send(await newRegistrationRequest())
      if (register === `${root}/register` && [404, 405, 501].includes(response.status ?? 0))
        throw new Blocked('AUTH-ENDPOINT-03', response.summary)
      expect(response, hasStatus(201), ...conformsTo('register success', 'AUTH-REGISTER-01'))
      await requireDistinctClientIds(world, response)
    },
  }),

  check('AUTH-REGISTER-02', {
    title: 'returns a secret together with its expiry',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run({ newRegistrationRequest, sendOrBlock, send, expect }) {
      const responses = [
        await sendOrBlock(await newRegistrationRequest()),
        await send(
          await newRegistrationRequest({ token_endpoint_auth_method: 'client_secret_basic' }),
        ),
        await send(
          await newRegistrationRequest({ token_endpoint_auth_method: 'client_secret_post' }),
        ),
        await send(
          await newRegistrationRequest({
            token_endpoint_auth_method: undefined,
            application_type: undefined,
            redirect_uris: [webRedirectUri],
          }),
        ),
      ]
      const secrets = responses.filter((one) => clientIn(one, {})?.secret !== undefined)
      if (secrets.length === 0) throw new NotApplicable('no client receives a secret')
      for (const one of secrets) expect(one, ...conformsTo('register success', 'AUTH-REGISTER-02'))
    },
  }),

  check('AUTH-REGISTER-03', {
    title: 'returns a unique id for each client',
    patterns,
    async run({ newRegistrationRequest, sendOrBlock, expectValue }) {
      // A server may treat identical metadata as one client.
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
      const responses = await Promise.all(
        metadata.map(async (one) => sendOrBlock(await newRegistrationRequest(one))),
      )
      expectValue(
        responses.map((one) => String(members(one)['client_id'])),
        areUnique,
      )
    },
  }),

  check('AUTH-REGISTER-13', {
    title: 'ignores unknown metadata',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run(world) {
      const unknown = {
        'an unknown member': { touchstone_extension: { version: 1 } },
        // A name in another language (RFC 7591 §2.2).
        'a member with a language': { 'client_name#de': 'Prüfstein' },
      }
      for (const [label, metadata] of Object.entries(unknown)) {
        const response = await world.send(await world.newRegistrationRequest(metadata))
        world.expect(response, labelled(label, hasMember('register success', 'client_id')))
        await requireDistinctClientIds(world, response)
      }
    },
  }),

  check('AUTH-REGISTER-04', {
    title: 'returns the registered metadata',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run({ newRegistrationRequest, sendOrBlock, expect }) {
      const redirect_uris = [webRedirectUri, `${webRedirectUri}/2?app=1`]
      expect(
        await sendOrBlock(await newRegistrationRequest({ redirect_uris, application_type: 'web' })),
        hasRedirectUris(...redirect_uris),
        ...conformsTo('register success', 'AUTH-REGISTER-04'),
      )
    },
  }),

  check('AUTH-REGISTER-04', {
    title: 'returns the client name that the consent page shows',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      requireConsentPage(world)
      const name = 'Curlew Reader'
      const request = await world.newRegistrationRequest({ client_name: name })
      const response = await world.sendOrBlock(request)
      const client = clientIn(
        response,
        publicMetadata({ redirect_uris: [(await world.getClient()).redirectUri] }),
      )
      if (client === undefined) throw new Blocked('AUTH-REGISTER-01', response.summary)
      const shown = (
        await world.runFlow(await world.newAuthorizationRequest({}, client), 'deny')
      ).pages.some(({ text, title }) => `${title} ${text}`.includes(name))
      // A server that ignores the name need not return it.
      world.expect(response, {
        name: 'returns the name that the page shows',
        expected: 'client_name in the response',
        test: (one) => !shown || members(one)['client_name'] !== undefined,
      })
    },
  }),

  check('AUTH-REGISTER-09', {
    title: 'registers no client if clients may not register themselves',
    patterns,
    async run({ auth, findEndpoints, newRegistrationRequestAt, send, expect }) {
      if (auth.registration !== false) throw new NotApplicable('clients may register themselves')
      const { register } = await findEndpoints()
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
        expect(
          await send(newRegistrationRequestAt(register, metadata)),
          labelled(label, registersNone),
        )
    },
  }),

  check('AUTH-REGISTER-10', {
    title: 'records how http redirect URIs that are not on loopback are handled',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run({ newRegistrationRequest, send, observe }) {
      const { status } = await send(
        await newRegistrationRequest({
          redirect_uris: ['http://client.touchstone.example/back'],
          application_type: 'web',
        }),
      )
      observe(
        `registering an http redirect URI that is not on loopback: ${status === undefined ? 'no response' : `status ${status}`}`,
      )
    },
  }),
]
