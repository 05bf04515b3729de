import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import { membersOf } from '../../../faults/auth/oauth/token-replies.ts'
import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import type { AuthFactor } from '../variation.ts'

/** Changes the metadata of the authorization server and of protected resources. */
const changeMetadata = (change: (reply: Reply) => Reply): AuthDeviation => ({
  changeReply: (endpoint, reply) =>
    (endpoint === 'server metadata' || endpoint === 'resource metadata') && reply.status === 200
      ? change(reply)
      : reply,
})

/** The choices that servers have for their metadata. */
export const metadata: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-META-06',
    name: 'metadata of the server',
    values: [
      { name: 'served', description: 'Serves metadata of the server.' },
      {
        name: 'missing',
        description: 'Serves no metadata of the server.',
        choices: { oauth: { serverMetadata: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-META-06',
    name: 'path of the metadata of the server',
    values: [
      {
        name: 'the path of RFC 8414',
        description: 'Serves metadata of the server at the path of RFC 8414.',
      },
      {
        name: 'the path of OpenID Connect',
        description: 'Serves metadata of the server at the path of OpenID Connect.',
        choices: { oauth: { serverMetadataAt: 'openid' } },
      },
      {
        name: 'both paths',
        description: 'Serves metadata of the server at both paths.',
        choices: { oauth: { serverMetadataAt: 'both' } },
      },
    ],
  },
  {
    requirement: 'AUTH-META-06',
    name: 'metadata of resources',
    values: [
      { name: 'served', description: 'Serves metadata of its resources.' },
      {
        name: 'missing',
        description: 'Serves no metadata of its resources.',
        choices: { oauth: { resourceMetadata: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-META-06',
    name: 'resources with metadata',
    values: [
      {
        name: 'each transport, and the origin of the server',
        description: 'Serves metadata for each transport and for the origin of the server.',
      },
      {
        name: 'each transport',
        description: 'Serves metadata for each transport.',
        choices: { oauth: { resourceMetadataAt: 'paths' } },
      },
      {
        name: 'the origin of the server',
        description: 'Serves metadata for the origin of the server only.',
        choices: { oauth: { resourceMetadataAt: 'origin' } },
      },
    ],
  },
  {
    requirement: 'AUTH-META-01',
    name: 'trailing slash of the issuer',
    values: [
      { name: 'without a slash', description: 'Returns its issuer without a trailing slash.' },
      {
        name: 'with a slash',
        description: 'Returns its issuer with a trailing slash.',
        choices: { oauth: { issuerSlash: true } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'members of metadata',
    values: [
      { name: 'known ones', description: 'Returns only standard members in its metadata.' },
      {
        name: 'more',
        description: 'Returns further members in its metadata, some of them null or empty.',
        deviation: changeMetadata((reply) => ({
          ...reply,
          body: {
            ...membersOf(reply),
            'x-shelf': { rooms: 3 },
            service_documentation: 'https://shelf.example/docs',
            jwks_uri: null,
            op_policy_uri: null,
            bearer_methods_supported: [],
          },
          headers: { ...reply.headers, 'Content-Type': 'application/json; charset=utf-8' },
        })),
      },
    ],
  },
]
