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
    row: 'AUTH-META-06',
    factor: 'metadata of the server',
    levels: [
      { name: 'there', says: 'Has metadata of the server.' },
      {
        name: 'missing',
        says: 'Has no metadata of the server.',
        choices: { oauth: { serverMetadata: false } },
      },
    ],
  },
  {
    row: 'AUTH-META-06',
    factor: "place of the server's metadata",
    levels: [
      { name: 'of OAuth', says: "Has the server's metadata where RFC 8414 wants them." },
      {
        name: 'of OpenID Connect',
        says: "Has the server's metadata where OpenID Connect wants them.",
        choices: { oauth: { serverMetadataAt: 'openid' } },
      },
      {
        name: 'both',
        says: "Has the server's metadata at both places.",
        choices: { oauth: { serverMetadataAt: 'both' } },
      },
    ],
  },
  {
    row: 'AUTH-META-06',
    factor: 'metadata of resources',
    levels: [
      { name: 'there', says: 'Has metadata of its resources.' },
      {
        name: 'missing',
        says: 'Has no metadata of its resources.',
        choices: { oauth: { resourceMetadata: false } },
      },
    ],
  },
  {
    row: 'AUTH-META-06',
    factor: 'places of the metadata of resources',
    levels: [
      { name: 'all', says: 'Has metadata of each transport, and of the whole.' },
      {
        name: 'of the transports',
        says: 'Has metadata of each transport.',
        choices: { oauth: { resourceMetadataAt: 'paths' } },
      },
      {
        name: 'of the whole',
        says: 'Has metadata of the whole only.',
        choices: { oauth: { resourceMetadataAt: 'origin' } },
      },
    ],
  },
  {
    row: 'AUTH-META-01',
    factor: 'end of the issuer',
    levels: [
      { name: 'bare', says: 'Tells its issuer without a slash at its end.' },
      {
        name: 'a slash',
        says: 'Tells its issuer with a slash at its end.',
        choices: { oauth: { issuerSlash: true } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'members of metadata',
    levels: [
      { name: 'known ones', says: 'Tells in metadata what the standards know.' },
      {
        name: 'more',
        says: 'Tells in metadata more than the standards know, and more of what they do.',
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
