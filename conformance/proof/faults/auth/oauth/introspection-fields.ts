import { asProvider, fault, onReply } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { membersOf } from './token-replies.ts'

/** Wrong values of fields, with their descriptions. */
const wrongFields: readonly (readonly [
  name: string,
  description: string,
  wrong: (value: unknown) => unknown,
  slug: string,
])[] = [
  ['scope', 'an array', (value) => String(value).split(' '), 'scope-is-an-array'],
  ['client_id', 'a number', () => 7, 'client-id-is-a-number'],
  ['username', 'an object', (value) => ({ login: value }), 'username-is-an-object'],
  ['token_type', 'an array', (value) => [value], 'token-type-is-an-array'],
  ['sub', 'a number', () => 1001, 'sub-is-a-number'],
  ['iss', 'an array', (value) => [value], 'iss-is-an-array'],
  ['jti', 'a number', () => 12, 'jti-is-a-number'],
  ['aud', 'an object', (value) => ({ url: value }), 'aud-is-an-object'],
  ['exp', 'in milliseconds', (value) => Number(value) * 1000, 'exp-is-in-milliseconds'],
  ['iat', 'a string', String, 'iat-is-a-string'],
  ['nbf', 'a date', () => '2026-01-01T00:00:00Z', 'nbf-is-a-date'],
]

const now = () => Math.floor(Date.now() / 1000)

/** Values of the right type that say something else, with their descriptions. */
const falseFields: typeof wrongFields = [
  ['client_id', 'that of the caller', () => 'resource-server', 'client-id-is-the-caller'],
  ['iss', 'another issuer', () => 'https://issuer.example', 'iss-is-another-issuer'],
  ['exp', 'a lifetime', (value) => Number(value) - now(), 'exp-is-a-lifetime'],
  ['iat', 'the end of the lifetime', () => now() + 3600, 'iat-is-the-expiry'],
]

/** Faults in the fields with which introspection describes a token. */
export const introspectionFields: readonly AuthFault[] = [
  ...wrongFields.map((field) => [field, 'AUTH-PROVIDER-16'] as const),
  ...falseFields.map((field) => [field, 'AUTH-PROVIDER-18'] as const),
].map(([[name, what, wrong, slug], requirement]) =>
  fault(
    `introspected-${slug}`,
    `Returns ${name} of an introspected token as ${what.startsWith('in ') ? `a time ${what}` : what}.`,
    [requirement],
    asProvider(
      onReply((reply, _request, endpoint) => {
        const members = membersOf(reply)
        return endpoint === 'introspect' && members['active'] === true
          ? { ...reply, body: { ...members, [name]: wrong(members[name]) } }
          : undefined
      }),
    ),
  ),
)
