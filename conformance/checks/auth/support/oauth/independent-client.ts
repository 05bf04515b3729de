import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import type { HttpRequest, StepResult } from '../../../../wire/index.ts'
import { ThirdPartyClient } from '../../../../wire/oauth/third-party-client.ts'
import { type Client, redirectUri as usual } from '../client.ts'
import type { Endpoints } from '../endpoints.ts'
import { httpPlaces, ssePlaces } from '../places.ts'
import type { AuthWorld } from '../world.ts'

/** Which of the library's two ways leads to the metadata that were found; undefined where neither does. */
export function algorithmOf({ root, metadata }: Endpoints): 'oauth2' | 'oidc' | undefined {
  const url = metadata?.request.url
  if (url?.includes('/.well-known/oauth-authorization-server') === true) return 'oauth2'
  return url === `${root}/.well-known/openid-configuration` ? 'oidc' : undefined
}

/** What was asked of the server, at whatever transport it has. */
export function resourceOf({ access: { http, sse } }: AuthWorld): HttpRequest | undefined {
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
  taken: StepResult<T>,
  roots: readonly RequirementId[],
) => Promise<T>

/** Expects of a step that it went well. What a row of its own says of a step that failed is told there. */
export const expecting =
  ({ requireMet, expectOf }: AuthWorld): Expects =>
  async <T>(
    name: string,
    expected: string,
    taken: StepResult<T>,
    roots: readonly RequirementId[],
  ) => {
    if ('problem' in taken) for (const root of roots) await requireMet(root, taken.problem)
    expectOf(taken, {
      name: `oauth4webapi: ${name}`,
      expected,
      test: (one) => 'value' in one,
      received: (one) => ('problem' in one ? one.problem : ''),
    })
    if ('problem' in taken) throw new Error('an expectation that broke did not end the check')
    return taken.value
  }

/** The client as the server knows it: registered now, or by whoever runs the server. */
export async function identified(
  world: AuthWorld,
  client: ThirdPartyClient,
  expects: Expects,
): Promise<Client> {
  if (world.auth.registration === false) {
    const known = await world.client()
    client.useCredentials(known)
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
