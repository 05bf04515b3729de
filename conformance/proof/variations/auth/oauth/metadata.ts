import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import { membersOf } from '../../../faults/auth/oauth/answers.ts'
import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import type { AuthFactor } from '../variation.ts'

/** Changes metadata, of the server and of resources. */
const told = (change: (reply: Reply) => Reply): AuthDeviation => ({
  changeReply: (endpoint, reply) =>
    (endpoint === 'server metadata' || endpoint === 'resource metadata') && reply.status === 200
      ? change(reply)
      : reply,
})

/** Freedoms of metadata. */
export const metadata: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-META-06',
    name: 'metadata of the server',
    levels: [
      { name: 'there', description: 'Has metadata of the server.' },
      {
        name: 'missing',
        description: 'Has no metadata of the server.',
        choices: { oauth: { serverMetadata: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-META-06',
    name: "place of the server's metadata",
    levels: [
      { name: 'of OAuth', description: "Has the server's metadata where RFC 8414 wants them." },
      {
        name: 'of OpenID Connect',
        description: "Has the server's metadata where OpenID Connect wants them.",
        choices: { oauth: { serverMetadataAt: 'openid' } },
      },
      {
        name: 'both',
        description: "Has the server's metadata at both places.",
        choices: { oauth: { serverMetadataAt: 'both' } },
      },
    ],
  },
  {
    requirement: 'AUTH-META-06',
    name: 'metadata of resources',
    levels: [
      { name: 'there', description: 'Has metadata of its resources.' },
      {
        name: 'missing',
        description: 'Has no metadata of its resources.',
        choices: { oauth: { resourceMetadata: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-META-06',
    name: 'places of the metadata of resources',
    levels: [
      { name: 'all', description: 'Has metadata of each transport, and of the whole.' },
      {
        name: 'of the transports',
        description: 'Has metadata of each transport.',
        choices: { oauth: { resourceMetadataAt: 'paths' } },
      },
      {
        name: 'of the whole',
        description: 'Has metadata of the whole only.',
        choices: { oauth: { resourceMetadataAt: 'origin' } },
      },
    ],
  },
  {
    requirement: 'AUTH-META-01',
    name: 'end of the issuer',
    levels: [
      { name: 'bare', description: 'Tells its issuer without a slash at its end.' },
      {
        name: 'a slash',
        description: 'Tells its issuer with a slash at its end.',
        choices: { oauth: { issuerSlash: true } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'members of metadata',
    levels: [
      { name: 'known ones', description: 'Tells in metadata what the standards know.' },
      {
        name: 'more',
        description: 'Tells in metadata more than the standards know, and more of what they do.',
        deviation: told((reply) => ({
          ...reply,
          body: {
            ...membersOf(reply),
            'x-shelf': { rooms: 3 },
            service_documentation: 'https://shelf.example/docs',
            jwks_uri: null,
          },
          headers: { ...reply.headers, 'Content-Type': 'application/json; charset=utf-8' },
        })),
      },
    ],
  },
]
