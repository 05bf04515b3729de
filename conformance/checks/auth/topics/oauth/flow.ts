import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import { Blocked } from '../../../../engine/index.ts'
import { IndependentClient, type HttpRequest, type Step } from '../../../../wire/index.ts'
import type { Ask } from '../../support/ask.ts'
import { redirectUri as usual, type Client } from '../../support/client.ts'
import { check, oauth } from '../../support/define.ts'
import type { Endpoints } from '../../support/endpoints.ts'
import { httpPlaces, ssePlaces } from '../../support/places.ts'
import { members } from '../../support/expectations.ts'
import { codeIn } from '../../support/walk.ts'
import type { AuthWorld } from '../../support/world.ts'

/** Which of the library's two ways leads to the metadata that were found; undefined where neither does. */
function algorithmOf({ root, metadata }: Endpoints): 'oauth2' | 'oidc' | undefined {
  const url = metadata?.request.url
  if (url?.includes('/.well-known/oauth-authorization-server') === true) return 'oauth2'
  return url === `${root}/.well-known/openid-configuration` ? 'oidc' : undefined
}

/** What was asked of the server, at whatever transport it has. */
function resourceOf({ access: { http, sse } }: AuthWorld): HttpRequest | undefined {
  const [place] =
    http !== undefined
      ? httpPlaces(http, undefined)
      : sse !== undefined
        ? ssePlaces(sse, undefined)
        : []
  return place?.request(undefined)
}

type Expects = <T>(
  name: string,
  expected: string,
  taken: Step<T>,
  roots: readonly RequirementId[],
) => Promise<T>

/** Expects of a step that it went well. What a row of its own says of a step that failed is told there. */
const expecting =
  ({ stands, expectOf }: AuthWorld): Expects =>
  async <T>(name: string, expected: string, taken: Step<T>, roots: readonly RequirementId[]) => {
    if ('problem' in taken) for (const root of roots) await stands(root, taken.problem)
    expectOf(taken, {
      name: `oauth4webapi: ${name}`,
      expected,
      test: (one) => 'value' in one,
      received: (one) => ('problem' in one ? one.problem : ''),
    })
    if ('problem' in taken) throw new Error('an expectation that broke did not end the check')
    return taken.value
  }

/** Whether metadata promise that users come back with the issuer (RFC 9207). */
const promisesIssuer = ({ metadata }: Endpoints): boolean =>
  metadata !== undefined &&
  members(metadata)['authorization_response_iss_parameter_supported'] === true

/** An independent client, and the server as a whole. */
export const flow = [
  check('AUTH-FLOW-01', {
    title: 'lets a client by somebody else register, ask, get tokens and use them',
    patterns: oauth,
    async play(world) {
      const { auth, made, send } = world
      const endpoints = await world.endpoints()
      const { root, issuer = root, authorize, token, register } = endpoints
      const client = await IndependentClient.open({
        send,
        endpoints: {
          issuer,
          authorization_endpoint: authorize,
          token_endpoint: token,
          registration_endpoint: register,
        },
      })
      const expects = expecting(world)

      const algorithm = algorithmOf(endpoints)
      if (algorithm !== undefined)
        await expects(
          'reads the metadata',
          'metadata that it can go by',
          await client.discover(root, algorithm),
          ['AUTH-META-01', 'AUTH-META-02'],
        )

      const known = await identified(world, client, expects)
      const question = await client.question(known.redirectUri, {
        scope: auth.scope,
        resource: auth.resource,
      })
      const ask: Ask = {
        client: known,
        redirectUri: known.redirectUri,
        state: made.add(question.state, 'state'),
        verifier: made.add(question.verifier, 'verifier'),
        challenge: made.add(question.challenge, 'challenge'),
        request: { operation: 'authorize', method: 'GET', url: question.url },
      }
      const walk = await world.walk(ask)
      if (walk.back === undefined) await world.stands('AUTH-AUTHORIZE-01', walk.summary)
      const back =
        walk.back === undefined
          ? { code: 'unanswered' as const, problem: walk.summary }
          : await client.readBack(walk.back, question, algorithm !== undefined)
      const answer = await expects('is sent back', 'an answer that it can go by', back, [
        'AUTH-AUTHORIZE-01',
        'AUTH-AUTHORIZE-02',
        ...(promisesIssuer(endpoints) ? ['AUTH-AUTHORIZE-13' as const] : []),
      ])
      if (codeIn(walk) === undefined) throw new Blocked('AUTH-AUTHORIZE-01', walk.summary)

      const got = await expects(
        'gets tokens',
        'tokens that it can go by',
        await client.exchange(answer, known.redirectUri, question),
        ['AUTH-TOKEN-01'],
      )
      for (const one of [got.access, got.refresh]) if (one !== undefined) made.add(one, 'token')

      const resource = resourceOf(world)
      if (resource !== undefined)
        await expects(
          'uses them',
          'a status of success',
          served(await client.use(got.access, resource)),
          [world.served],
        )

      if (got.refresh === undefined) return
      const renewed = await expects(
        'renews them',
        'other tokens that it can go by',
        await client.renew(got.refresh),
        ['AUTH-REFRESH-01'],
      )
      for (const one of [renewed.access, renewed.refresh])
        if (one !== undefined) made.add(one, 'token')
    },
  }),
]

/** The client as the server knows it: registered now, or by whoever runs the server. */
async function identified(
  world: AuthWorld,
  client: IndependentClient,
  expects: Expects,
): Promise<Client> {
  if (world.auth.registration === false) {
    const known = await world.client()
    client.be(known)
    return known
  }
  const { body } = await world.registering({ client_name: 'oauth4webapi, by way of Touchstone' })
  const metadata = (body?.kind === 'json' ? body.value : {}) as Readonly<Record<string, unknown>>
  const [redirectUri = usual] = metadata['redirect_uris'] as readonly string[]
  const registered = await client.register(metadata)
  const isOfSecrets = 'problem' in registered && registered.code === 'secret-lifetime'
  const { id, secret, method } = await expects(
    'registers',
    'a client that it can go by',
    registered,
    ['AUTH-REGISTER-01', ...(isOfSecrets ? ['AUTH-REGISTER-02' as const] : [])],
  )
  if (secret !== undefined) world.made.add(secret, 'secret')
  return {
    id,
    secret,
    method:
      secret === undefined
        ? 'none'
        : method === 'client_secret_post'
          ? method
          : 'client_secret_basic',
    redirectUri,
    metadata,
  }
}

const served = (used: Step<number>): Step<number> =>
  'problem' in used || (used.value >= 200 && used.value < 300)
    ? used
    : { code: 'unusable', problem: `status ${used.value}` }
