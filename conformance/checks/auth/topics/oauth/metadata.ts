import {
  covers,
  withoutTrailingSlash,
  findChallengeMetadataUrls,
  fetchResourceMetadata,
  newResourceMetadataRequest,
  fetchServerMetadata,
} from '../../support/oauth/metadata.ts'
import { NotApplicable, labelled, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check, oauth } from '../../support/define.ts'
import { metadataIn, newMetadataRequests, authorizationRootOf } from '../../support/endpoints.ts'
import { members } from '../../support/expectations.ts'

const isUrl = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value)
const hasUrl = (name: string): Expectation<HttpExchange> => ({
  name: `contains ${name}`,
  expected: `${name}, a URL`,
  test: (response) => isUrl(members(response)[name]),
  received: (response) => `${name} ${JSON.stringify(members(response)[name]) ?? 'is missing'}`,
})
const contains = (name: string, value: string): Expectation<HttpExchange> => ({
  name: `${name} contains ${value}`,
  expected: `${name}, an array that contains ${value}`,
  test: (response) =>
    ((list: unknown) => Array.isArray(list) && list.includes(value))(members(response)[name]),
  received: (response) => `${name} ${JSON.stringify(members(response)[name]) ?? 'is missing'}`,
})
const describes = (
  resource: string,
  test: (declared: unknown) => boolean,
): Expectation<HttpExchange> => ({
  name: 'describes the resource',
  expected: `resource ${resource}`,
  test: (response) => test(members(response)['resource']),
  received: (response) =>
    `resource ${JSON.stringify(members(response)['resource']) ?? 'is missing'}`,
})

/** Whether a response is metadata, and not any other object. */
const isDocument = (response: HttpExchange): boolean =>
  ['issuer', 'resource'].some((name) => typeof metadataIn(response)?.[name] === 'string')
const isJsonType: Expectation<HttpExchange> = {
  name: 'is application/json',
  expected: 'the content type application/json',
  test: (response) => /^application\/json *(;|$)/i.test(response.header('content-type') ?? ''),
  received: (response) => response.header('content-type') ?? 'no content type',
}

export const metadataChecks = [
  check('AUTH-META-01', {
    title: 'returns metadata whose issuer matches the URL of the metadata',
    patterns: oauth,
    async run(world) {
      const { root, responses } = await fetchServerMetadata(world)
      for (const response of responses)
        world.expect(response, {
          name: 'is the issuer',
          expected: `issuer ${root}`,
          test: (one) =>
            typeof members(one)['issuer'] === 'string' &&
            withoutTrailingSlash(members(one)['issuer']) === withoutTrailingSlash(root),
          received: (one) => `issuer ${JSON.stringify(members(one)['issuer']) ?? 'is missing'}`,
        })
    },
  }),
  check('AUTH-META-02', {
    title: 'returns metadata with endpoints and response types',
    patterns: oauth,
    async run(world) {
      for (const response of (await fetchServerMetadata(world)).responses)
        world.expect(
          response,
          hasUrl('authorization_endpoint'),
          hasUrl('token_endpoint'),
          contains('response_types_supported', 'code'),
        )
    },
  }),
  check('AUTH-META-03', {
    title: 'lists S256 as a PKCE challenge method',
    patterns: oauth,
    async run(world) {
      for (const response of (await fetchServerMetadata(world)).responses)
        world.expect(response, contains('code_challenge_methods_supported', 'S256'))
    },
  }),
  check('AUTH-META-04', {
    title: 'names the requested resource in metadata at the well-known URL',
    patterns: oauth,
    async run(world) {
      const declared = (await fetchResourceMetadata(world)).filter(
        ({ response }) => metadataIn(response) !== undefined,
      )
      if (declared.length === 0) throw new NotApplicable('no resource has metadata')
      for (const { resource, response } of declared)
        world.expect(
          response,
          describes(
            resource,
            (one) => withoutTrailingSlash(one) === withoutTrailingSlash(resource),
          ),
        )
    },
  }),
  check('AUTH-META-04', {
    title: 'names the requested resource in metadata at the URL in WWW-Authenticate',
    patterns: oauth,
    async run(world) {
      const declared = await findChallengeMetadataUrls(world)
      if (declared.length === 0)
        throw new NotApplicable('no WWW-Authenticate header contains resource_metadata')
      for (const { resource, url } of declared) {
        const response = await world.send(newResourceMetadataRequest(url))
        if (metadataIn(response) === undefined)
          throw new NotApplicable('there is no metadata at the URL in WWW-Authenticate')
        // For a resource below another one, clients use the metadata of the other.
        world.expect(
          response,
          describes(resource, (one) => covers(one, resource)),
        )
      }
    },
  }),
  check('AUTH-META-05', {
    title: 'provides metadata at the URL in WWW-Authenticate',
    patterns: oauth,
    async run(world) {
      const declared = await findChallengeMetadataUrls(world)
      if (declared.length === 0)
        throw new NotApplicable('no WWW-Authenticate header contains resource_metadata')
      for (const { url } of declared)
        world.expect(await world.send(newResourceMetadataRequest(url)), {
          name: 'exists',
          expected: 'status 200 and an object with resource',
          test: (response) => typeof metadataIn(response)?.['resource'] === 'string',
        })
    },
  }),
  check('AUTH-META-07', {
    title: 'returns metadata as application/json',
    patterns: oauth,
    async run(world) {
      const ofServer = await Promise.all(
        newMetadataRequests(authorizationRootOf(world.auth, world.target)).map(world.send),
      )
      const ofResources = (await fetchResourceMetadata(world)).map(({ response }) => response)
      const documents = { 'of the server': ofServer, 'of a resource': ofResources }
      const found = Object.entries(documents).flatMap(([label, all]) =>
        all.filter(isDocument).map((one) => [label, one] as const),
      )
      if (found.length === 0) throw new NotApplicable('there is no metadata')
      for (const [label, response] of found) world.expect(response, labelled(label, isJsonType))
    },
  }),
  check('AUTH-META-06', {
    title: 'records which metadata exists',
    patterns: oauth,
    async run(world) {
      const { auth, target, send, observe } = world
      const root = authorizationRootOf(auth, target)
      const { origin } = new URL(root)
      const requests = [
        ...newMetadataRequests(root),
        newResourceMetadataRequest(`${origin}/.well-known/oauth-protected-resource`),
      ]
      const all = [
        ...(await Promise.all(requests.map(send))),
        ...(await fetchResourceMetadata(world)).map(({ response }) => response),
      ]
      for (const response of all) {
        const { pathname } = new URL(response.request.url)
        const isMissing = metadataIn(response) === undefined
        observe(
          `${pathname}: ${isMissing ? `none, status ${response.status ?? 'none'}` : 'exists'}`,
        )
      }
    },
  }),
]
