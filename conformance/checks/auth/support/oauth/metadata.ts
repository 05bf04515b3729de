import { NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import { metadataIn, metadataRequests, rootOf } from '../endpoints.ts'
import type { AuthWorld } from '../world.ts'
import { metadataNamed } from './challenges.ts'

/** A URL without the slash at its end, which a well-known address does not keep (RFC 8414 §3.1). */
export const bare = (url: unknown): string => String(url).replace(/\/$/, '')

/** Whatever is served of a server's metadata, at the one place or the other. */
export async function served({
  auth,
  access,
  send,
}: AuthWorld): Promise<{ root: string; answers: HttpExchange[] }> {
  const root = rootOf(auth, access)
  const answers = (await Promise.all(metadataRequests(root).map(send))).filter(
    (one) => metadataIn(one) !== undefined,
  )
  if (answers.length === 0) throw new NotApplicable('there are no metadata of the server')
  return { root, answers }
}

export const asked = (url: string): HttpRequest => ({
  operation: 'resource metadata',
  method: 'GET',
  url,
  headers: { Accept: 'application/json' },
})

/** The transports, and what is said to be at their well-known addresses. */
export async function describedAt({
  access: { http, sse },
  send,
}: AuthWorld): Promise<{ resource: string; came: HttpExchange }[]> {
  const resources = [http, sse].filter((one) => one !== undefined)
  return Promise.all(
    resources.map(async (resource) => {
      const { origin, pathname } = new URL(resource)
      return {
        resource,
        came: await send(
          asked(
            `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`,
          ),
        ),
      }
    }),
  )
}

/** The addresses that challenges name, each with the resource that was asked for. */
export async function named({
  guarded,
  send,
}: AuthWorld): Promise<{ resource: string; url: string }[]> {
  const places = (await guarded()).filter(({ place }) => !place.inSession)
  const found = await Promise.all(
    places.map(async ({ place }) => {
      const request = place.request(undefined)
      return { resource: request.url, url: metadataNamed(await send(request)) }
    }),
  )
  return found.filter((one): one is { resource: string; url: string } => one.url !== undefined)
}

/** Whether a resource is another one, or all that lies below it. */
export const covers = (told: unknown, resource: string): boolean =>
  bare(told) === bare(resource) || bare(resource).startsWith(`${bare(told)}/`)
