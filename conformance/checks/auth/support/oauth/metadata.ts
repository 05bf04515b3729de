import { NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import { metadataIn, newMetadataRequests, authorizationRootOf } from '../endpoints.ts'
import type { AuthWorld } from '../world.ts'
import { resourceMetadataUrl } from './challenges.ts'

/**
 * Converts a JSON value that should be a URL to a string without a trailing slash, so that URLs can
 * be compared. Well-known URLs are built from the issuer without its trailing slash.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3.1
 */
export const withoutTrailingSlash = (claimed: unknown): string => String(claimed).replace(/\/$/, '')

/**
 * Fetches the well-known URLs of an authorization server. Returns its root URL and the responses
 * that contain metadata. Throws `NotApplicable` if no response contains metadata.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 */
export async function fetchServerMetadata({
  auth,
  target,
  send,
}: AuthWorld): Promise<{ root: string; responses: HttpExchange[] }> {
  const root = authorizationRootOf(auth, target)
  const responses = (await Promise.all(newMetadataRequests(root).map(send))).filter(
    (one) => metadataIn(one) !== undefined,
  )
  if (responses.length === 0) throw new NotApplicable('the server has no metadata')
  return { root, responses }
}

export const newResourceMetadataRequest = (url: string): HttpRequest => ({
  operation: 'resource metadata',
  method: 'GET',
  url,
  headers: { Accept: 'application/json' },
})

/**
 * Fetches the protected resource metadata of each transport. Returns the responses with the URLs of
 * the resources.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
export async function fetchResourceMetadata({
  target: { http, sse },
  send,
}: AuthWorld): Promise<{ resource: string; response: HttpExchange }[]> {
  const resources = [http, sse].filter((one) => one !== undefined)
  return Promise.all(
    resources.map(async (resource) => {
      const { origin, pathname } = new URL(resource)
      return {
        resource,
        response: await send(
          newResourceMetadataRequest(
            `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`,
          ),
        ),
      }
    }),
  )
}

/**
 * Requests the protected endpoints without a token. Returns the metadata URLs in their challenges,
 * each with the URL that was requested.
 */
export async function findChallengeMetadataUrls({
  probeEndpoints,
  send,
}: AuthWorld): Promise<{ resource: string; url: string }[]> {
  const endpoints = (await probeEndpoints()).filter(({ endpoint }) => !endpoint.inSession)
  const found = await Promise.all(
    endpoints.map(async ({ endpoint }) => {
      const request = endpoint.request()
      return { resource: request.url, url: resourceMetadataUrl(await send(request)) }
    }),
  )
  return found.filter((one): one is { resource: string; url: string } => one.url !== undefined)
}

/** Whether `resource` is the declared resource, or a URL below its path. */
export const covers = (declared: unknown, resource: string): boolean =>
  withoutTrailingSlash(declared) === withoutTrailingSlash(resource) ||
  withoutTrailingSlash(resource).startsWith(`${withoutTrailingSlash(declared)}/`)
