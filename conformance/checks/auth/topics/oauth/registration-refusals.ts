import { judge, type Expectation, NotApplicable, labelled } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check, oauth as patterns, watch } from '../../support/define.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import { metadataIn, redirectUrisIn, webRegistration } from '../../support/oauth/known-clients.ts'
import { requireDistinctClientIds } from '../../support/oauth/distinct-client-ids.ts'
import { conformsIfPresent, conformsTo, hasContentType } from '../../support/contract.ts'
import { hasTimeInSeconds } from '../../support/oauth/times.ts'
import { hasStatus, members } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'

/**
 * Wrong members of client metadata. Each key describes what is wrong. `valid` is a redirect URI
 * that the server accepts.
 */
const wrongMembers = (valid: string) => ({
  'no redirect URIs': { redirect_uris: undefined },
  'an empty list of redirect URIs': { redirect_uris: [] },
  'a javascript: URI': { redirect_uris: ['javascript:alert(document.domain)'] },
  'a javascript: URI in capitals': { redirect_uris: ['JavaScript:alert(document.domain)'] },
  'a javascript: URI and a valid URI': {
    redirect_uris: [valid, 'javascript:alert(document.domain)'],
  },
  'a URI with a fragment': { redirect_uris: [`${valid}#here`] },
  'a URI with an empty fragment': { redirect_uris: [`${valid}#`] },
})
type Wrong = keyof ReturnType<typeof wrongMembers>

/** Returns an accepted registration, and the wrong members that can replace members of it. */
async function acceptedRegistration(world: AuthWorld) {
  const registration = await webRegistration(world)
  const metadata = metadataIn(registration)
  return { registration, metadata, wrong: wrongMembers(redirectUrisIn(metadata)[0] ?? '') }
}

const refused: Expectation<HttpExchange> = {
  name: 'is refused',
  expected: 'a 4xx status',
  test: ({ status = 0 }) => status >= 400 && status < 500,
}
/** Instead of refusing a client, a server may register it with only its other redirect URIs. */
const notRegistered = (isBad: (uri: string) => boolean): Expectation<HttpExchange> => ({
  name: 'is not registered',
  expected: 'a 4xx status, or redirect_uris without that URI',
  test: (exchange) => {
    const { status = 0 } = exchange
    const uris = members(exchange)['redirect_uris']
    return (
      (status >= 400 && status < 500) ||
      (status >= 200 &&
        status < 300 &&
        Array.isArray(uris) &&
        !uris.some((uri) => isBad(String(uri))))
    )
  },
})
const isScript = (uri: string): boolean => /^\s*javascript:/i.test(uri)

async function expectRefusals(
  world: AuthWorld,
  expected: typeof refused,
  names: readonly Wrong[],
): Promise<HttpExchange[]> {
  await world.waitForStage('late-writes')
  const { registration, wrong } = await acceptedRegistration(world)
  const responses: HttpExchange[] = []
  for (const name of names)
    responses.push(await world.expectRegistrationRefused(name, registration, wrong[name], expected))
  return responses
}

const isRefusal = ({ operation, meanings, status = 0 }: HttpExchange): boolean =>
  operation === 'register' && meanings.includes('invalid') && status >= 400 && status < 500

const hasCode = (...codes: readonly string[]): Expectation<HttpExchange> => ({
  name: `has the error ${codes.join(' or ')}`,
  expected: `error ${codes.join(' or ')}`,
  test: (exchange) => codes.includes(String(members(exchange)['error'])),
})

/**
 * What the response to a registration contains: a client or an error. Undefined for other
 * responses.
 */
function outcomeOf(
  exchange: HttpExchange,
): 'a response with a client' | 'a response with an error' | undefined {
  if (exchange.operation !== 'register') return undefined
  if (exchange.status === 201) return 'a response with a client'
  return isRefusal(exchange) && typeof members(exchange)['error'] === 'string'
    ? 'a response with an error'
    : undefined
}

/** Checks of refused registrations. */
export const registrationRefusalsChecks = [
  check('AUTH-REGISTER-05', {
    title: 'refuses clients without redirect URIs',
    patterns,
    async run(world) {
      await expectRefusals(world, refused, ['no redirect URIs', 'an empty list of redirect URIs'])
    },
  }),

  check('AUTH-REGISTER-06', {
    title: 'refuses redirect URIs that would run a script',
    patterns,
    async run(world) {
      await expectRefusals(world, refused, ['a javascript: URI', 'a javascript: URI in capitals'])
      await expectRefusals(world, notRegistered(isScript), ['a javascript: URI and a valid URI'])
    },
  }),

  check('AUTH-REGISTER-11', {
    title: 'does not register redirect URIs with a fragment',
    patterns,
    async run(world) {
      const responses = await expectRefusals(
        world,
        notRegistered((uri) => uri.includes('#')),
        ['a URI with a fragment', 'a URI with an empty fragment'],
      )
      for (const response of responses)
        if (isServed(response)) await requireDistinctClientIds(world, response)
    },
  }),

  watch('AUTH-REGISTER-07', {
    title: 'refuses invalid registrations with status 400 and an error in JSON',
    sources: ['AUTH-REGISTER-05', 'AUTH-REGISTER-06'],
    examine(exchange) {
      if (!isRefusal(exchange)) return []
      return [hasStatus(400), ...conformsTo('register failure', 'AUTH-REGISTER-07')].map((one) =>
        judge(one, exchange),
      )
    },
  }),

  check('AUTH-REGISTER-08', {
    title: 'distinguishes invalid redirect URIs from other invalid metadata',
    patterns,
    async run(world) {
      await world.waitForStage('late-writes')
      const { registration, metadata, wrong } = await acceptedRegistration(world)
      // Passes no expectations, because AUTH-REGISTER-05 and AUTH-REGISTER-06 already require that
      // these registrations are refused.
      const send = (name: Wrong) => world.expectRegistrationRefused(name, registration, wrong[name])
      const responses = [
        // A missing redirect URI may be reported with either error.
        {
          label: 'a registration without redirect URIs',
          response: await send('no redirect URIs'),
          codes: ['invalid_redirect_uri', 'invalid_client_metadata'],
        },
        {
          label: 'a javascript: URI',
          response: await send('a javascript: URI'),
          codes: ['invalid_redirect_uri'],
        },
        {
          label: 'an unknown authentication method',
          response: await world.sendRegistration(
            await world.newRegistrationRequest({
              ...metadata,
              token_endpoint_auth_method: 'touchstone_handshake',
            }),
          ),
          codes: ['invalid_client_metadata'],
        },
      ].filter(({ response: { status } }) => status === 400)
      if (responses.length === 0)
        throw new NotApplicable('no registration is refused with status 400')
      for (const { label, response, codes } of responses)
        world.expect(response, labelled(label, hasCode(...codes)))
    },
  }),

  watch('AUTH-REGISTER-12', {
    title: 'returns application/json for registrations',
    root: 'AUTH-REGISTER-01',
    sources: ['AUTH-REGISTER-01'],
    examine(exchange) {
      const label = outcomeOf(exchange)
      return label === undefined
        ? []
        : [judge(labelled(label, hasContentType('AUTH-REGISTER-12')), exchange)]
    },
  }),

  watch('AUTH-REGISTER-14', {
    title: 'returns optional members of registrations with the right types',
    root: 'AUTH-REGISTER-01',
    sources: ['AUTH-REGISTER-01'],
    examine(exchange) {
      const label = outcomeOf(exchange)
      if (label === undefined) return []
      const message = label === 'a response with a client' ? 'register success' : 'register failure'
      const issuedAt = hasTimeInSeconds('client_id_issued_at')
      return [
        ...conformsIfPresent(exchange, message, 'AUTH-REGISTER-14'),
        ...('client_id_issued_at' in members(exchange) ? [issuedAt] : []),
      ].map((one) => judge(labelled(label, one), exchange))
    },
  }),
]
