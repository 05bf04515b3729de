import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import { fault, type MakeAuthDeviation, onReply } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { membersOf, without } from './answers.ts'

type Members = Readonly<Record<string, unknown>>

/** Changes the members of metadata. */
const told = (
  of: 'server metadata' | 'resource metadata',
  change: (members: Members) => Members | undefined,
): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) => {
    const changed = endpoint === of && reply.status === 200 ? change(membersOf(reply)) : undefined
    return changed === undefined ? undefined : { ...reply, body: changed }
  })
const server = (change: (members: Members) => Members): MakeAuthDeviation =>
  told('server metadata', change)
const ofResource = (change: (resource: string) => string | undefined): MakeAuthDeviation =>
  told('resource metadata', (members) => {
    const resource = change(String(members['resource']))
    return resource === undefined ? undefined : { ...members, resource }
  })

/** Sends whoever asks for a token to other metadata. */
const leading = (to: (url: string) => string): MakeAuthDeviation =>
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

const elsewhere = 'https://shelf.example'

/** Faults of metadata. */
export const metadata: readonly AuthFault[] = [
  fault(
    'issuer-of-another',
    'Tells the issuer of another server.',
    ['AUTH-META-01'],
    server((members) => ({ ...members, issuer: elsewhere })),
  ),
  fault(
    'issuer-missing',
    'Tells no issuer.',
    ['AUTH-META-01'],
    server((members) => without(members, 'issuer')),
  ),
  fault(
    'issuer-with-a-path',
    'Tells an issuer with a path that it was not asked under.',
    ['AUTH-META-01'],
    server((members) => ({ ...members, issuer: `${String(members['issuer'])}/oauth` })),
  ),
  fault(
    'issuer-of-another-port',
    'Tells an issuer without its port.',
    ['AUTH-META-01'],
    server((members) => ({ ...members, issuer: String(members['issuer']).replace(/:\d+$/, '') })),
  ),
  fault(
    'authorization-endpoint-untold',
    'Does not tell where one asks for authorization.',
    ['AUTH-META-02'],
    server((members) => without(members, 'authorization_endpoint')),
  ),
  fault(
    'token-endpoint-untold',
    'Does not tell where tokens are.',
    ['AUTH-META-02'],
    server((members) => without(members, 'token_endpoint')),
  ),
  fault(
    'endpoints-as-paths',
    'Tells the paths of its endpoints, without the server.',
    ['AUTH-META-02'],
    server((members) => ({
      ...members,
      authorization_endpoint: '/authorize',
      token_endpoint: '/token',
    })),
  ),
  fault(
    'response-types-untold',
    'Does not tell which responses there are.',
    ['AUTH-META-02'],
    server((members) => without(members, 'response_types_supported')),
  ),
  fault(
    'response-types-as-text',
    'Tells the types of responses as a text.',
    ['AUTH-META-02'],
    server((members) => ({ ...members, response_types_supported: 'code' })),
  ),
  fault(
    'challenge-methods-untold',
    'Does not tell how challenges are made.',
    ['AUTH-META-03'],
    server((members) => without(members, 'code_challenge_methods_supported')),
  ),
  fault(
    'challenge-methods-are-plain',
    'Tells that challenges are plain.',
    ['AUTH-META-03'],
    server((members) => ({ ...members, code_challenge_methods_supported: ['plain'] })),
  ),
  fault(
    'resource-of-another',
    "Tells of its resources that they are another server's.",
    ['AUTH-META-04'],
    ofResource((resource) => `${elsewhere}${new URL(resource).pathname}`),
  ),
  fault(
    'resources-are-one',
    'Tells of each resource that it is the whole server.',
    ['AUTH-META-04'],
    ofResource((resource) =>
      new URL(resource).pathname === '/' ? undefined : new URL(resource).origin,
    ),
  ),
  fault(
    'resources-are-swapped',
    'Tells of one transport that it is the other.',
    ['AUTH-META-04'],
    ofResource((resource) =>
      resource.endsWith('/mcp')
        ? resource.replace(/mcp$/, 'sse')
        : resource.endsWith('/sse')
          ? resource.replace(/sse$/, 'mcp')
          : undefined,
    ),
  ),
  fault(
    'resource-untold',
    'Does not tell which resource its metadata are about.',
    ['AUTH-META-04', 'AUTH-META-05'],
    told('resource metadata', (members) => without(members, 'resource')),
  ),
  fault(
    'challenge-leads-nowhere',
    'Says that metadata are where there is nothing.',
    ['AUTH-META-05'],
    leading((url) => `${url}/metadata`),
  ),
  fault(
    'challenge-leads-to-a-path',
    'Says by its path alone where metadata are.',
    ['AUTH-META-05'],
    leading((url) => new URL(url).pathname),
  ),
  fault(
    'challenge-leads-to-a-page',
    'Has a page where metadata should be.',
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
