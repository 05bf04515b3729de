import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import type { HttpRequest, StepResult } from '../../../../wire/index.ts'
import { ThirdPartyClient } from '../../../../wire/oauth/third-party-client.ts'
import { type Client, clientName, redirectUri as defaultRedirectUri } from '../client.ts'
import type { Endpoints } from '../endpoints.ts'
import { httpEndpoints, sseEndpoints } from '../protected-endpoints.ts'
import type { AuthWorld } from '../world.ts'

/**
 * The discovery mode with which oauth4webapi finds the metadata of the server; undefined if neither
 * mode finds it.
 */
export function discoveryModeOf({ root, metadata }: Endpoints): 'oauth2' | 'oidc' | undefined {
  const url = metadata?.request.url
  if (url?.includes('/.well-known/oauth-authorization-server') === true) return 'oauth2'
  return url === `${root}/.well-known/openid-configuration` ? 'oidc' : undefined
}

/** A request for the resource, on the first HTTP transport; undefined if there is only stdio. */
export function newResourceRequest({ target: { http, sse } }: AuthWorld): HttpRequest | undefined {
  const [endpoint] =
    http !== undefined
      ? httpEndpoints(http, undefined)
      : sse !== undefined
        ? sseEndpoints(sse, undefined)
        : []
  return endpoint?.request()
}

type ExpectStep = <T>(
  name: string,
  expected: string,
  step: StepResult<T>,
  roots: readonly RequirementId[],
) => Promise<T>

/**
 * Expects that a step succeeded. If it failed because one of `roots` is not met, that root blocks
 * the check.
 */
export const newStepExpectation =
  ({ requireMet, expectValue }: AuthWorld): ExpectStep =>
  async <T>(
    name: string,
    expected: string,
    step: StepResult<T>,
    roots: readonly RequirementId[],
  ) => {
    if ('problem' in step) for (const root of roots) await requireMet(root, step.problem)
    expectValue(step, {
      name: `oauth4webapi: ${name}`,
      expected,
      test: (one) => 'value' in one,
      received: (one) => ('problem' in one ? one.problem : ''),
    })
    if ('problem' in step) throw new Error('an expectation was not met, but the check did not end')
    return step.value
  }

/**
 * Registers `client` at the server. If clients cannot register themselves, gives `client` the
 * credentials that the target file contains.
 */
export async function identifyClient(
  world: AuthWorld,
  client: ThirdPartyClient,
  expectStep: ExpectStep,
): Promise<Client> {
  if (world.auth.registration === false) {
    const known = await world.getClient()
    client.useCredentials(known)
    return known
  }
  const { body } = await world.newRegistrationRequest({
    client_name: `${clientName}, oauth4webapi`,
  })
  const metadata = (body?.kind === 'json' ? body.value : {}) as Readonly<Record<string, unknown>>
  const [redirectUri = defaultRedirectUri] = metadata['redirect_uris'] as readonly string[]
  const registered = await client.register(metadata)
  const isSecretLifetime = 'problem' in registered && registered.code === 'secret-lifetime'
  const { id, secret, method } = await expectStep('registers', 'a usable client', registered, [
    'AUTH-REGISTER-01',
    ...(isSecretLifetime ? ['AUTH-REGISTER-02' as const] : []),
  ])
  if (secret !== undefined) world.knownValues.add(secret, 'secret')
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
