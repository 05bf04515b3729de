import {
  covers,
  isSameResource,
  withoutTrailingSlash,
  findChallengeMetadataUrls,
  fetchResourceMetadata,
  fetchServerMetadata,
} from '../../support/oauth/metadata.ts'
import { NotApplicable, labelled, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import type { MessageName } from '../../../../../generated/auth/contract.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import { conformsIfPresent, conformsTo, hasContentType } from '../../support/contract.ts'
import { check, oauth } from '../../support/define.ts'
import {
  metadataIn,
  newMetadataRequests,
  authorizationRootOf,
  findServerMetadata,
  newResourceMetadataRequest,
} from '../../support/endpoints.ts'
import { members } from '../../support/expectations.ts'
import { codeIn, returnedParameters } from '../../support/authorization-flow.ts'
import { newUnknownToken } from '../../support/oauth/clients-and-codes.ts'
import { hasCode } from '../../support/oauth/flows.ts'
import type { AuthWorld } from '../../support/world.ts'

/** A resource server with the pattern `jwt` may publish metadata as well. */
const withResourceMetadata = [...oauth, 'jwt'] as const

/** Fields of metadata, and words in their values that name a flow which OAuth 2.1 has removed. */
const removedFlows = [
  ['response_types_supported', 'token'],
  ['grant_types_supported', 'implicit'],
  ['grant_types_supported', 'password'],
] as const

const listsNone = (name: string, removed: string): Expectation<HttpExchange> => ({
  name: `does not list ${removed}`,
  expected: `${name} without ${removed}, or no ${name}`,
  test: (exchange) => {
    const listed = members(exchange)[name]
    return !Array.isArray(listed) || !listed.some((one) => String(one).split(' ').includes(removed))
  },
  received: (exchange) => `${name}: ${JSON.stringify(members(exchange)[name])}`,
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

/** Whether a response contains metadata, and not some other object. */
const isMetadata = (response: HttpExchange): boolean =>
  ['issuer', 'resource'].some((name) => typeof metadataIn(response)?.[name] === 'string')

/** A request for the metadata of the server as a whole. */
const newRootMetadataRequest = (root: string): HttpRequest =>
  newResourceMetadataRequest(`${new URL(root).origin}/.well-known/oauth-protected-resource`)

/**
 * Fetches the metadata of the server and of all resources. Throws `NotApplicable` if there is no
 * metadata.
 */
async function fetchDocuments(
  world: AuthWorld,
): Promise<{ label: string; message: MessageName; response: HttpExchange }[]> {
  const root = authorizationRootOf(world.auth, world.target)
  const { responses: ofServer } = await findServerMetadata(root, world.target, world.send)
  const ofRoot = await world.send(newRootMetadataRequest(root))
  const ofResources = (await fetchResourceMetadata(world)).map(({ response }) => response)
  const documents = [
    {
      label: 'the authorization server metadata',
      message: 'serverMetadata success',
      all: ofServer,
    },
    {
      label: 'the resource metadata of the origin',
      message: 'rootMetadata success',
      all: [ofRoot],
    },
    {
      label: 'the resource metadata of an MCP endpoint',
      message: 'resourceMetadata success',
      all: ofResources,
    },
  ] as const
  const found = documents.flatMap(({ all, ...document }) =>
    all.filter(isMetadata).map((response) => ({ ...document, response })),
  )
  if (found.length === 0) throw new NotApplicable('the server publishes no metadata')
  return found
}

/** Expects the optional members of metadata to conform to the schemas. */
async function expectOptionalMembers(world: AuthWorld, requirement: RequirementId): Promise<void> {
  const documents = (await fetchDocuments(world)).map(({ label, message, response }) => ({
    response,
    expectations: conformsIfPresent(response, message, requirement).map((one) =>
      labelled(label, one),
    ),
  }))
  if (documents.every(({ expectations }) => expectations.length === 0))
    throw new NotApplicable('the metadata has none of these members')
  for (const { response, expectations } of documents) world.expect(response, ...expectations)
}
export const metadataChecks = [
  check('AUTH-META-01', {
    title: 'returns metadata whose issuer matches the URL of the metadata',
    patterns: oauth,
    async run(world) {
      const { issuer, responses } = await fetchServerMetadata(world)
      for (const response of responses)
        world.expect(response, ...conformsTo('serverMetadata success', 'AUTH-META-01'), {
          name: 'is the issuer',
          expected: `issuer ${issuer}`,
          test: (one) =>
            typeof members(one)['issuer'] === 'string' &&
            withoutTrailingSlash(members(one)['issuer']) === withoutTrailingSlash(issuer),
          received: (one) => `issuer ${JSON.stringify(members(one)['issuer']) ?? 'is missing'}`,
        })
    },
  }),
  check('AUTH-META-02', {
    title: 'returns metadata with endpoints and response types',
    patterns: oauth,
    async run(world) {
      for (const response of (await fetchServerMetadata(world)).responses)
        world.expect(response, ...conformsTo('serverMetadata success', 'AUTH-META-02'))
    },
  }),
  check('AUTH-META-03', {
    title: 'lists S256 as a PKCE challenge method',
    patterns: oauth,
    async run(world) {
      for (const response of (await fetchServerMetadata(world)).responses)
        world.expect(response, ...conformsTo('serverMetadata success', 'AUTH-META-03'))
    },
  }),
  check('AUTH-META-04', {
    title: 'names the requested resource in metadata at the well-known URL',
    door: 'the well-known URL',
    patterns: withResourceMetadata,
    async run(world) {
      const declared = (await fetchResourceMetadata(world)).filter(
        ({ response }) => metadataIn(response) !== undefined,
      )
      if (declared.length === 0) throw new NotApplicable('no resource has metadata')
      for (const { resource, response } of declared)
        world.expect(
          response,
          ...conformsTo('resourceMetadata success', 'AUTH-META-04'),
          describes(resource, (one) => isSameResource(one, resource)),
        )
    },
  }),
  check('AUTH-META-04', {
    title: 'names the requested resource in metadata at the URL in WWW-Authenticate',
    door: 'the URL in WWW-Authenticate',
    patterns: withResourceMetadata,
    async run(world) {
      const declared = await findChallengeMetadataUrls(world)
      if (declared.length === 0)
        throw new NotApplicable('no WWW-Authenticate header contains resource_metadata')
      for (const { resource, url } of declared) {
        const response = await world.send(newResourceMetadataRequest(url))
        if (metadataIn(response) === undefined)
          throw new NotApplicable('there is no metadata at the URL in WWW-Authenticate')
        // The metadata may describe a resource at a higher path, which includes the requested one.
        world.expect(
          response,
          describes(resource, (one) => covers(one, resource)),
        )
      }
    },
  }),
  check('AUTH-META-05', {
    title: 'provides metadata at the URL in WWW-Authenticate',
    patterns: withResourceMetadata,
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
      for (const { label, response } of await fetchDocuments(world))
        world.expect(response, labelled(label, hasContentType('AUTH-META-07')))
    },
  }),
  check('AUTH-META-08', {
    title: 'returns optional members of metadata with the right types',
    patterns: oauth,
    run: (world) => expectOptionalMembers(world, 'AUTH-META-08'),
  }),
  check('AUTH-META-09', {
    title: 'omits empty arrays from metadata',
    patterns: oauth,
    run: (world) => expectOptionalMembers(world, 'AUTH-META-09'),
  }),
  check('AUTH-META-10', {
    title: 'names an authorization server in the metadata of a resource',
    patterns: oauth,
    async run(world) {
      const declared = (await fetchResourceMetadata(world)).filter(
        ({ response }) => metadataIn(response) !== undefined,
      )
      if (declared.length === 0) throw new NotApplicable('no resource has metadata')
      for (const { response } of declared)
        world.expect(response, {
          name: 'names an authorization server',
          expected: 'authorization_servers with at least one URL',
          test: (one) => {
            const servers = members(one)['authorization_servers']
            return Array.isArray(servers) && servers.length > 0
          },
        })
    },
  }),
  check('AUTH-META-11', {
    title: 'accepts the challenge method plain if the metadata lists it',
    door: 'the challenge method plain',
    patterns: oauth,
    async run(world) {
      const { metadata } = await world.findEndpoints()
      const methods = metadata && members(metadata)['code_challenge_methods_supported']
      if (!Array.isArray(methods) || !methods.includes('plain'))
        throw new NotApplicable('the metadata does not list plain')
      const code_challenge = world.knownValues.add(newUnknownToken(), 'challenge')
      const flow = await world.runFlow(
        await world.newAuthorizationRequest({ code_challenge, code_challenge_method: 'plain' }),
      )
      if (codeIn(flow) === undefined) await world.requireMet('AUTH-AUTHORIZE-01', flow.summary)
      world.expectValue(flow, hasCode)
    },
  }),
  check('AUTH-META-11', {
    title: 'does not list tokens in the query as a method of a resource',
    door: 'a token in the query',
    patterns: oauth,
    async run(world) {
      const declared = (await fetchResourceMetadata(world)).filter(({ response }) =>
        Array.isArray(metadataIn(response)?.['bearer_methods_supported']),
      )
      if (declared.length === 0) throw new NotApplicable('no metadata lists places for tokens')
      // OAuth 2.1 forbids tokens in the query (AUTH-RESOURCE-05).
      for (const { response } of declared)
        world.expect(response, {
          name: 'does not list query',
          expected: 'bearer_methods_supported without query',
          test: (one) =>
            !(members(one)['bearer_methods_supported'] as readonly unknown[]).includes('query'),
        })
    },
  }),
  check('AUTH-META-11', {
    title: 'declares iss if authorization responses contain it',
    door: 'the parameter iss',
    patterns: oauth,
    async run(world) {
      const { metadata } = await world.findEndpoints()
      if (metadata === undefined) throw new NotApplicable('the server has no metadata')
      const flow = await world.runFlow(await world.newAuthorizationRequest())
      if (codeIn(flow) === undefined) await world.requireMet('AUTH-AUTHORIZE-01', flow.summary)
      if (returnedParameters(flow)['iss'] === undefined)
        throw new NotApplicable('authorization responses contain no iss')
      world.expect(metadata, {
        name: 'declares iss',
        expected: 'authorization_response_iss_parameter_supported: true',
        test: (one) => members(one)['authorization_response_iss_parameter_supported'] === true,
      })
    },
  }),
  check('AUTH-META-11', {
    title: 'lists no flow that OAuth 2.1 has removed',
    door: 'a removed flow',
    patterns: oauth,
    async run(world) {
      const { metadata } = await world.findEndpoints()
      const isListed = ([name]: (typeof removedFlows)[number]) =>
        metadata !== undefined && Array.isArray(members(metadata)[name])
      if (metadata === undefined || !removedFlows.some(isListed))
        throw new NotApplicable('no metadata lists flows')
      // The server refuses these flows (AUTH-AUTHORIZE-10, AUTH-TOKEN-14).
      world.expect(metadata, ...removedFlows.map(([name, removed]) => listsNone(name, removed)))
    },
  }),
  check('AUTH-META-11', {
    title: 'provides its keys at the URL in its metadata',
    door: 'the URL of its keys',
    patterns: oauth,
    async run(world) {
      const { metadata } = await world.findEndpoints()
      const url = metadata && members(metadata)['jwks_uri']
      if (typeof url !== 'string' || !URL.canParse(url))
        throw new NotApplicable('the metadata contains no jwks_uri')
      if (new URL(url).host !== new URL(metadata!.request.url).host)
        throw new NotApplicable('the keys are on another host')
      const request = { operation: 'metadata', method: 'GET', url } as const
      world.expect(await world.send(request), {
        name: 'provides keys',
        expected: 'status 200, and JSON with the array keys',
        test: (one) => one.status === 200 && Array.isArray(metadataIn(one)?.['keys']),
      })
    },
  }),
  check('AUTH-META-12', {
    title: 'names itself by its issuer in the metadata of a resource',
    patterns: oauth,
    async run(world) {
      const { issuer } = await world.findEndpoints()
      const declared = (await fetchResourceMetadata(world)).filter(({ response }) =>
        Array.isArray(metadataIn(response)?.['authorization_servers']),
      )
      if (declared.length === 0 || issuer === undefined)
        throw new NotApplicable('the metadata names no issuer, or no authorization server')
      for (const { response } of declared)
        world.expect(response, {
          name: 'names the issuer',
          expected: `${issuer}, if authorization_servers contains this server`,
          test: (one) =>
            (members(one)['authorization_servers'] as readonly unknown[]).every(
              (server) =>
                server === issuer || withoutTrailingSlash(server) !== withoutTrailingSlash(issuer),
            ),
          received: (one) =>
            `authorization_servers ${JSON.stringify(members(one)['authorization_servers'])}`,
        })
    },
  }),
  check('AUTH-META-06', {
    title: 'records which metadata exists',
    patterns: oauth,
    async run(world) {
      const { auth, target, send, observe } = world
      const root = authorizationRootOf(auth, target)
      const requests = [...newMetadataRequests(root), newRootMetadataRequest(root)]
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
