import { NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import {
  authorizationRootOf,
  findServerMetadata,
  newResourceMetadataRequestFor,
} from '../endpoints.ts'
import type { AuthWorld } from '../world.ts'
import { resourceMetadataUrl } from './challenges.ts'

/**
 * Converts a JSON value that should be a URL to a string without a trailing slash, for comparisons.
 * Well-known URLs are built from the issuer without its trailing slash.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3.1
 */
export const withoutTrailingSlash = (claimed: unknown): string => String(claimed).replace(/\/$/, '')

/**
 * Fetches the metadata of the authorization server. Returns its issuer and the responses that
 * contain metadata. Throws `NotApplicable` if no response contains metadata.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 */
export async function fetchServerMetadata({
  auth,
  target,
  send,
}: AuthWorld): Promise<{ issuer: string; responses: HttpExchange[] }> {
  const found = await findServerMetadata(authorizationRootOf(auth, target), target, send)
  if (found.responses.length === 0) throw new NotApplicable('the server has no metadata')
  return found
}

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
    resources.map(async (resource) => ({
      resource,
      response: await send(newResourceMetadataRequestFor(resource)),
    })),
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

/**
 * Whether both are the same resource. A slash matters at the end of a path, but not after the host,
 * where it is removed to build the well-known URL.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3.1
 */
export const isSameResource = (declared: unknown, resource: string): boolean =>
  declared === resource ||
  (new URL(resource).pathname === '/' &&
    withoutTrailingSlash(declared) === withoutTrailingSlash(resource))

/** Whether `resource` is the declared resource, or a URL below its path. */
export const covers = (declared: unknown, resource: string): boolean =>
  withoutTrailingSlash(declared) === withoutTrailingSlash(resource) ||
  withoutTrailingSlash(resource).startsWith(`${withoutTrailingSlash(declared)}/`)
