import { Blocked, type Expectation, NotApplicable, labelled } from '../../../../engine/index.ts'
import { conformsTo, hasMember } from '../../support/contract.ts'
import { clientIn, webRedirectUri } from '../../support/client.ts'
import { bearerClient } from '../../support/client-pool.ts'
import type { Registration } from '../../support/registration-world.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { hasStatus, members } from '../../support/expectations.ts'
import { hasTimeInSeconds } from '../../support/oauth/times.ts'
import {
  plainRegistration,
  requireDistinctClientIds,
} from '../../support/oauth/distinct-client-ids.ts'
import {
  deniedClient,
  deniedName,
  registrationOfDenied,
  registrationWithTwoSetsOfKeys,
  registrationWithTwoUris,
  registrationWithUnknownMetadata,
  registrationWithoutMethod,
  unknownMetadata,
  metadataIn,
  redirectUrisIn,
  webRegistration,
} from '../../support/oauth/known-clients.ts'
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
  expected: 'no client_id, and a 2xx status other than 201, a 3xx or 4xx status, or 501',
  test: (exchange) => {
    const { status = 0 } = exchange
    // Without a registration endpoint, the URL may return a page with status 200.
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

/** What a server makes of UTF-8 if it reads Latin-1 or ASCII. */
const misreadings = (text: string): readonly string[] => [
  Buffer.from(text, 'utf8').toString('latin1'),
  new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8')),
  ...['?', '\u{FFFD}', ''].flatMap((replacement) => [
    text.replace(/[^\0-\x7F]/gu, replacement),
    text.replace(/[^\0-\x7F]/gu, (letter) => replacement.repeat(Buffer.byteLength(letter))),
  ]),
]

/** Whether the server has registered a client or refused it. */
const isAnswer = ({ status = 0 }: HttpExchange): boolean =>
  (status >= 200 && status < 300) || (status >= 400 && status < 500)

/** The redirect URIs that a registration requested. */
const redirectUrisOf = (registration: Registration): readonly string[] =>
  redirectUrisIn(metadataIn(registration))

/** Blocks the check if no client was registered. */
function requireSuccess({ response }: Registration): void {
  if (clientIn(response, {}) === undefined)
    throw new Blocked('AUTH-REGISTER-01', `the registration returned ${response.summary}`)
}

/**
 * Checks of client registration. A server may limit registrations, so a check that needs additional
 * registrations waits until all other checks have registered their clients.
 */
export const registrationChecks = [
  check('AUTH-REGISTER-01', {
    title: 'registers an unknown client',
    patterns,
    async run(world) {
      const { findEndpoints, expect } = world
      const { root, register } = await findEndpoints()
      const { response } = await plainRegistration(world)
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
    async run(world) {
      const plain = await plainRegistration(world)
      requireSuccess(plain)
      const responses = [
        plain,
        await world.sharedRegistration('client_secret_basic'),
        await world.sharedRegistration('client_secret_post'),
        await registrationWithoutMethod(world),
      ].map(({ response }) => response)
      const { expect } = world
      const secrets = responses.filter((one) => clientIn(one, {})?.secret !== undefined)
      if (secrets.length === 0) throw new NotApplicable('no client receives a secret')
      for (const one of secrets)
        expect(
          one,
          ...conformsTo('register success', 'AUTH-REGISTER-02'),
          hasTimeInSeconds('client_secret_expires_at'),
        )
    },
  }),

  check('AUTH-REGISTER-03', {
    title: 'returns a unique id for each client',
    patterns,
    async run(world) {
      // A server may treat identical metadata as one client, so each registration below has a
      // different name or different redirect URIs.
      const registrations = [
        await plainRegistration(world),
        await world.registrationOf(bearerClient),
        await webRegistration(world),
        await registrationWithTwoUris(world),
      ]
      registrations.forEach(requireSuccess)
      world.expectValue(
        registrations.map(({ response }) => String(members(response)['client_id'])),
        areUnique,
      )
    },
  }),

  check('AUTH-REGISTER-13', {
    title: 'ignores unknown metadata in registrations',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run(world) {
      await world.waitForStage('late-writes')
      const hasClientId = hasMember('register success', 'client_id')
      const register = async (metadata: Readonly<Record<string, unknown>>) =>
        world.sendRegistration(await world.newRegistrationRequest(metadata))
      // If the server accepts both members in one request, it accepts each of them.
      const { response: together } = await registrationWithUnknownMetadata(world)
      for (const [label, metadata] of Object.entries(unknownMetadata)) {
        const response = hasClientId.test(together) ? together : await register(metadata)
        world.expect(response, labelled(label, hasClientId))
        await requireDistinctClientIds(world, response)
      }
    },
  }),

  check('AUTH-REGISTER-15', {
    title: 'returns the letters of a client name as they were sent',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run(world) {
      const registration = await webRegistration(world)
      requireSuccess(registration)
      const sent = String(metadataIn(registration)['client_name'])
      world.expect(registration.response, {
        name: 'returns the name in UTF-8',
        expected: `client_name ${sent}, another name, or no name`,
        // A server may replace the name (RFC 7591 §3.2.1), but not by a misread one.
        test: (one) => !misreadings(sent).includes(String(members(one)['client_name'])),
        received: (one) => `client_name ${String(members(one)['client_name'])}`,
      })
    },
  }),

  check('AUTH-REGISTER-04', {
    title: 'returns the metadata of a registered client',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run(world) {
      const registration = await registrationWithTwoUris(world)
      requireSuccess(registration)
      world.expect(
        registration.response,
        hasRedirectUris(...redirectUrisOf(registration)),
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
      const { response } = await registrationOfDenied(world)
      const request = await world.newAuthorizationRequest({}, await deniedClient(world))
      const shown = (await world.runFlow(request, 'deny')).pages.some(({ text, title }) =>
        `${title} ${text}`.includes(deniedName),
      )
      // A server that ignores the name need not return it.
      world.expect(response, {
        name: 'returns the name that the page shows',
        expected: 'client_name in the response',
        test: (one) => !shown || members(one)['client_name'] !== undefined,
      })
    },
  }),

  check('AUTH-REGISTER-09', {
    title: 'registers no client if clients cannot register themselves',
    patterns,
    async run({ auth, findEndpoints, newRegistrationRequestAt, send, expect }) {
      if (auth.registration !== false) throw new NotApplicable('clients may register themselves')
      const { register } = await findEndpoints()
      const omitted = {
        client_name: undefined,
        grant_types: undefined,
        response_types: undefined,
        application_type: undefined,
      }
      const attempts = {
        'a public client': {},
        'a confidential client': { token_endpoint_auth_method: 'client_secret_basic' },
        'a web client': {
          ...omitted,
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

  check('AUTH-REGISTER-16', {
    title: 'returns only one of jwks and jwks_uri',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run(world) {
      const { response } = await registrationWithTwoSetsOfKeys(world)
      if (clientIn(response, {}) !== undefined) await requireDistinctClientIds(world, response)
      world.expect(response, {
        name: 'does not contain both',
        expected: 'an error, or a client without jwks or without jwks_uri',
        test: (one) =>
          isAnswer(one) && ['jwks', 'jwks_uri'].some((name) => members(one)[name] === undefined),
      })
    },
  }),

  check('AUTH-REGISTER-17', {
    title: 'registers no response type that the grant types do not allow',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run(world) {
      await world.waitForStage('late-writes')
      const response = await world.sendRegistration(
        await world.newRegistrationRequest({
          grant_types: ['authorization_code'],
          response_types: ['token'],
        }),
      )
      if (clientIn(response, {}) !== undefined) await requireDistinctClientIds(world, response)
      world.expect(response, {
        name: 'does not register the response type',
        expected: 'an error, or a client without the response type token',
        test: (one) =>
          isAnswer(one) &&
          (![members(one)['response_types']].flat().includes('token') ||
            [members(one)['grant_types']].flat().includes('implicit')),
      })
    },
  }),

  check('AUTH-REGISTER-10', {
    title: 'records how http redirect URIs that are not on loopback are handled',
    patterns,
    root: 'AUTH-REGISTER-01',
    async run({ waitForStage, newRegistrationRequest, sendRegistration, observe }) {
      await waitForStage('late-writes')
      const { status, summary } = await sendRegistration(
        await newRegistrationRequest({
          redirect_uris: ['http://client.touchstone.example/back'],
          application_type: 'web',
        }),
      )
      observe(
        `registering an http redirect URI that is not on loopback: ${status === undefined ? summary : `status ${status}`}`,
      )
    },
  }),
]
