import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import { fault, type MakeAuthDeviation, onReply } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { membersOf, omit } from './token-replies.ts'

type Members = Readonly<Record<string, unknown>>

/** Changes the members of one metadata document. */
const changeMetadata = (
  document: 'server metadata' | 'resource metadata',
  change: (members: Members) => Members | undefined,
): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) => {
    const changed =
      endpoint === document && reply.status === 200 ? change(membersOf(reply)) : undefined
    return changed === undefined ? undefined : { ...reply, body: changed }
  })
const changeServerMetadata = (change: (members: Members) => Members): MakeAuthDeviation =>
  changeMetadata('server metadata', change)
const changeResource = (change: (resource: string) => string | undefined): MakeAuthDeviation =>
  changeMetadata('resource metadata', (members) => {
    const resource = change(String(members['resource']))
    return resource === undefined ? undefined : { ...members, resource }
  })

/** Changes the URL of the metadata in challenges. */
const changeMetadataUrl = (to: (url: string) => string): MakeAuthDeviation =>
  onReply((reply, _request, endpoint): Reply | undefined => {
    const challenge = reply.headers?.['WWW-Authenticate']
    if (endpoint !== 'resource' || challenge === undefined) return undefined
    return {
      ...reply,
      headers: {
        ...reply.headers,
        'WWW-Authenticate': challenge.replace(
          /resource_metadata="([^"]*)"/,
          (_, url: string) => `resource_metadata="${to(url)}"`,
        ),
      },
    }
  })

/** Values in the metadata that name a flow which OAuth 2.1 has removed. */
const removedFlows = [
  ['response_types_supported', 'token'],
  ['grant_types_supported', 'implicit'],
  ['grant_types_supported', 'password'],
] as const

const otherServer = 'https://shelf.example'

export const metadata: readonly AuthFault[] = [
  fault(
    'issuer-of-another',
    'Returns the issuer of another server.',
    ['AUTH-META-01'],
    changeServerMetadata((members) => ({ ...members, issuer: otherServer })),
  ),
  fault(
    'issuer-missing',
    'Returns no issuer.',
    ['AUTH-META-01'],
    changeServerMetadata((members) => omit(members, 'issuer')),
  ),
  fault(
    'issuer-with-a-path',
    'Returns an issuer with a path.',
    ['AUTH-META-01'],
    changeServerMetadata((members) => ({
      ...members,
      issuer: `${String(members['issuer'])}/oauth`,
    })),
  ),
  fault(
    'issuer-of-another-port',
    'Returns an issuer without its port.',
    ['AUTH-META-01'],
    changeServerMetadata((members) => ({
      ...members,
      issuer: String(members['issuer']).replace(/:\d+$/, ''),
    })),
  ),
  fault(
    'authorization-endpoint-missing',
    'Omits authorization_endpoint from its metadata.',
    ['AUTH-META-02'],
    changeServerMetadata((members) => omit(members, 'authorization_endpoint')),
  ),
  fault(
    'token-endpoint-missing',
    'Omits token_endpoint from its metadata.',
    ['AUTH-META-02'],
    changeServerMetadata((members) => omit(members, 'token_endpoint')),
  ),
  fault(
    'endpoints-as-paths',
    'Returns its endpoints as paths, not as URLs.',
    ['AUTH-META-02'],
    changeServerMetadata((members) => ({
      ...members,
      authorization_endpoint: '/authorize',
      token_endpoint: '/token',
    })),
  ),
  fault(
    'response-types-missing',
    'Omits response_types_supported from its metadata.',
    ['AUTH-META-02'],
    changeServerMetadata((members) => omit(members, 'response_types_supported')),
  ),
  fault(
    'response-types-as-a-string',
    'Returns response_types_supported as a string.',
    ['AUTH-META-02'],
    changeServerMetadata((members) => ({ ...members, response_types_supported: 'code' })),
  ),
  fault(
    'challenge-methods-missing',
    'Omits code_challenge_methods_supported from its metadata.',
    ['AUTH-META-03'],
    changeServerMetadata((members) => omit(members, 'code_challenge_methods_supported')),
  ),
  fault(
    'challenge-methods-are-plain',
    'Returns plain as the only challenge method.',
    ['AUTH-META-03'],
    changeServerMetadata((members) => ({
      ...members,
      code_challenge_methods_supported: ['plain'],
    })),
  ),
  fault(
    'resource-of-another',
    'Returns a resource of another server.',
    ['AUTH-META-04'],
    changeResource((resource) => `${otherServer}${new URL(resource).pathname}`),
  ),
  fault(
    'resource-is-the-origin',
    'Returns its origin as the resource of every endpoint.',
    ['AUTH-META-04'],
    changeResource((resource) =>
      new URL(resource).pathname === '/' ? undefined : new URL(resource).origin,
    ),
  ),
  fault(
    'resource-has-a-slash-at-the-end',
    'Adds a slash to the resources in its metadata.',
    ['AUTH-META-04'],
    changeResource((resource) => (resource.endsWith('/') ? undefined : `${resource}/`)),
  ),
  fault(
    'plain-is-only-declared',
    'Lists the challenge method plain, and refuses it.',
    ['AUTH-META-11'],
    changeServerMetadata((members) => ({
      ...members,
      code_challenge_methods_supported: ['S256', 'plain'],
    })),
  ),
  fault(
    'query-is-declared',
    'Lists the query among the places for tokens.',
    ['AUTH-META-11'],
    changeMetadata('resource metadata', (members) => ({
      ...members,
      bearer_methods_supported: ['header', 'query'],
    })),
  ),
  ...removedFlows.map(([name, value]) =>
    fault(
      `${value}-flow-is-declared`,
      `Lists ${value} in ${name} of its metadata.`,
      ['AUTH-META-11'],
      changeServerMetadata((members) => ({
        ...members,
        [name]: [members[name] ?? 'authorization_code', value].flat(),
      })),
    ),
  ),
  fault(
    'keys-are-only-declared',
    'Names a URL without keys in its metadata.',
    ['AUTH-META-11'],
    changeServerMetadata((members) => ({
      ...members,
      jwks_uri: `${String(members['issuer']).replace(/\/$/, '')}/jwks.json`,
    })),
  ),
  fault(
    'iss-is-not-declared',
    'Sends iss, and does not declare it.',
    ['AUTH-META-11'],
    changeServerMetadata((members) =>
      omit(members, 'authorization_response_iss_parameter_supported'),
    ),
  ),
  fault(
    'issuer-with-a-slash-in-the-resource',
    'Adds a slash to the issuer in the metadata of resources.',
    ['AUTH-META-12'],
    changeMetadata('resource metadata', (members) => ({
      ...members,
      authorization_servers: [members['authorization_servers']]
        .flat()
        .map((one) => `${String(one)}/`),
    })),
  ),
  fault(
    'issuer-without-its-slash-in-the-resource',
    'Names a second issuer, which differs in a slash, in the metadata of resources.',
    ['AUTH-META-12'],
    changeMetadata('resource metadata', (members) => ({
      ...members,
      authorization_servers: [members['authorization_servers']]
        .flat()
        .flatMap((one) => [one, `${String(one)}/`]),
    })),
  ),
  fault(
    'resources-are-swapped',
    'Swaps the resources of the two transports.',
    ['AUTH-META-04'],
    changeResource((resource) =>
      resource.endsWith('/mcp')
        ? resource.replace(/mcp$/, 'sse')
        : resource.endsWith('/sse')
          ? resource.replace(/sse$/, 'mcp')
          : undefined,
    ),
  ),
  fault(
    'resource-missing',
    'Omits the resource from its metadata.',
    ['AUTH-META-04', 'AUTH-META-05'],
    changeMetadata('resource metadata', (members) => omit(members, 'resource')),
  ),
  fault(
    'resource-names-no-server',
    'Omits authorization_servers from the metadata of resources.',
    ['AUTH-META-10'],
    changeMetadata('resource metadata', (members) => omit(members, 'authorization_servers')),
  ),
  fault(
    'resource-has-an-empty-list-of-servers',
    'Returns an empty list of authorization servers.',
    ['AUTH-META-10', 'AUTH-META-09'],
    changeMetadata('resource metadata', (members) => ({ ...members, authorization_servers: [] })),
  ),
  fault(
    'challenge-leads-nowhere',
    'Refers to metadata at a URL that does not exist.',
    ['AUTH-META-05'],
    changeMetadataUrl((url) => `${url}/metadata`),
  ),
  fault(
    'challenge-leads-to-a-path',
    'Refers to metadata by a path, not a URL.',
    ['AUTH-META-05'],
    changeMetadataUrl((url) => new URL(url).pathname),
  ),
  fault(
    'challenge-leads-to-a-page',
    'Returns an HTML page instead of metadata.',
    ['AUTH-META-05'],
    onReply((reply, _request, endpoint) =>
      endpoint === 'resource metadata'
        ? {
            ...reply,
            raw: '<!doctype html><title>Shelf</title>',
            headers: { ...reply.headers, 'Content-Type': 'text/html' },
          }
        : undefined,
    ),
  ),
]
