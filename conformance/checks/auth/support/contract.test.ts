import { describe, expect, it } from 'vitest'
import type { MessageName } from '../../../../generated/auth/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { judge } from '../../../engine/index.ts'
import { HttpExchange, newRedactor } from '../../../wire/index.ts'
import { conformsIfPresent, conformsTo, hasContentType, hasHeader, hasMember } from './contract.ts'

const newExchange = (body: unknown, ...headers: [string, string][]): HttpExchange =>
  new HttpExchange(
    1,
    { operation: 'token', method: 'POST', url: 'http://127.0.0.1/token' },
    { headers: {}, text: null },
    {
      status: 200,
      headers: [['content-type', 'application/json'], ...headers],
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    },
    1,
    newRedactor({}),
  )

/**
 * Describes each place of a requirement that does not conform to the schema: the expected value and
 * the received one.
 */
const problems = (message: MessageName, requirement: RequirementId, body: unknown) =>
  conformsTo(message, requirement)
    .map((one) => judge(one, newExchange(body)))
    .filter(({ held }) => !held)
    .map(({ expected, received }) => `${expected}; ${received}`)

const server = {
  issuer: 'https://tools.example',
  authorization_endpoint: 'https://tools.example/authorize',
  token_endpoint: 'https://tools.example/token',
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
}
const client = { client_id: 'a', redirect_uris: ['http://127.0.0.1/back'] }
const tokens = { access_token: 'a', token_type: 'bearer', expires_in: 0 }

describe('a conforming body', () => {
  it.each<[string, MessageName, RequirementId[], unknown]>([
    [
      'metadata with null and unknown members',
      'serverMetadata success',
      ['AUTH-META-01', 'AUTH-META-02', 'AUTH-META-03', 'AUTH-META-08', 'AUTH-META-09'],
      { ...server, jwks_uri: null, scopes_supported: null, 'x-more': 7 },
    ],
    [
      'metadata of a resource that accepts no tokens',
      'resourceMetadata success',
      ['AUTH-META-04', 'AUTH-META-08', 'AUTH-META-09'],
      { resource: 'https://tools.example/mcp?a=1', bearer_methods_supported: [] },
    ],
    [
      'a client whose secret is null',
      'register success',
      ['AUTH-REGISTER-01', 'AUTH-REGISTER-02', 'AUTH-REGISTER-04', 'AUTH-REGISTER-14'],
      { ...client, client_secret: null, client_id_issued_at: 1.5, contacts: [] },
    ],
    [
      'tokens',
      'token success',
      ['AUTH-TOKEN-01', 'AUTH-TOKEN-03', 'AUTH-TOKEN-21', 'AUTH-TOKEN-26'],
      { ...tokens, refresh_token: null, id_token: 7 },
    ],
  ])('has no problems: %s', (_, message, requirements, body) => {
    expect(requirements.flatMap((one) => problems(message, one, body))).toEqual([])
  })
})

describe('a violation', () => {
  it.each<[string, MessageName, RequirementId, unknown, string[]]>([
    [
      'a missing endpoint',
      'serverMetadata success',
      'AUTH-META-02',
      { ...server, token_endpoint: undefined },
      ['token_endpoint: an absolute URL; token_endpoint is missing'],
    ],
    [
      'an endpoint that is a path',
      'serverMetadata success',
      'AUTH-META-02',
      { ...server, token_endpoint: '/token' },
      ['token_endpoint: an absolute URL; token_endpoint "/token"'],
    ],
    [
      'another response type',
      'serverMetadata success',
      'AUTH-META-02',
      { ...server, response_types_supported: ['token'] },
      [
        'response_types_supported: an array of strings that contains code; response_types_supported ["token"]',
      ],
    ],
    [
      'a recommended member that is null',
      'serverMetadata success',
      'AUTH-META-03',
      { ...server, code_challenge_methods_supported: null },
      [
        'code_challenge_methods_supported: an array of strings that contains S256; code_challenge_methods_supported is missing',
      ],
    ],
    [
      'an item of a wrong type',
      'serverMetadata success',
      'AUTH-META-08',
      { ...server, scopes_supported: ['a', 7] },
      ['items in scopes_supported: a string; scopes_supported/1 7'],
    ],
    [
      'an empty array',
      'resourceMetadata success',
      'AUTH-META-09',
      { resource: 'https://tools.example/mcp', scopes_supported: [] },
      ['scopes_supported: an array of at least one string; scopes_supported []'],
    ],
    [
      'a secret without its expiry',
      'register success',
      'AUTH-REGISTER-02',
      { ...client, client_secret: 'b' },
      ['client_secret_expires_at: an integer of at least 0; client_secret_expires_at is missing'],
    ],
    [
      'a secret whose expiry is null',
      'register success',
      'AUTH-REGISTER-02',
      { ...client, client_secret: 'b', client_secret_expires_at: null },
      ['client_secret_expires_at: an integer of at least 0; client_secret_expires_at null'],
    ],
    [
      'a negative lifetime',
      'token success',
      'AUTH-TOKEN-21',
      { ...tokens, expires_in: -1 },
      ['expires_in: an integer of at least 0; expires_in -1'],
    ],
    [
      'a token that is a number, which is not shown',
      'token success',
      'AUTH-TOKEN-01',
      { ...tokens, access_token: 12345678 },
      ['access_token: a string that is not empty; access_token number'],
    ],
    [
      'a scope that is an array',
      'token success',
      'AUTH-TOKEN-26',
      { ...tokens, scope: ['a'] },
      ['scope: a string or null; scope ["a"]'],
    ],
  ])('is reported once, with its place: %s', (_, message, requirement, body, expected) => {
    expect(problems(message, requirement, body)).toEqual(expected)
    expect(conformsTo(message, requirement).length).toBeGreaterThan(0)
  })

  it('is reported for every required place if the body is not JSON', () => {
    expect(problems('token success', 'AUTH-TOKEN-01', '<html>')).toEqual([
      expect.stringContaining('access_token: a string that is not empty; '),
      expect.stringContaining('token_type: Bearer, in upper or lower case; '),
    ])
    expect(judge(hasMember('register failure', 'error'), newExchange('no')).held).toBe(false)
  })
})

it('judges only the places that a response has', () => {
  const exchange = newExchange({ ...tokens, scope: 'a' })
  expect(
    conformsIfPresent(exchange, 'token success', 'AUTH-TOKEN-26').map(({ name }) => name),
  ).toEqual(['has valid scope'])
})

describe('a challenge', () => {
  const namesBearer = (...challenges: string[]) =>
    hasHeader('AUTH-RESOURCE-02').test(
      newExchange({}, ...challenges.map((one): [string, string] => ['www-authenticate', one])),
    )

  it.each([
    'Bearer',
    'bearer realm="x"',
    'Basic realm="x", Bearer error="invalid_token"',
    'DPoP algs="ES256", BEARER',
    'Negotiate,Bearer',
  ])('contains the scheme Bearer: %s', (challenge) => {
    expect(namesBearer(challenge)).toBe(true)
  })

  it.each(['Basic realm="Bearer"', 'Basic realm="a, Bearer b"', 'Bearerish x="y"', ''])(
    'does not contain the scheme Bearer: %s',
    (challenge) => {
      expect(namesBearer(challenge)).toBe(false)
    },
  )

  it('is found in any of several headers', () => {
    expect(namesBearer('Basic realm="x"', 'Bearer')).toBe(true)
  })
})

it('accepts parameters of a content type', () => {
  const withType = (type: string) =>
    hasContentType('AUTH-META-07').test(
      new HttpExchange(
        1,
        { operation: 'server metadata', method: 'GET', url: 'http://127.0.0.1/' },
        { headers: {}, text: null },
        { status: 200, headers: [['content-type', type]], body: Buffer.from('{}') },
        1,
        newRedactor({}),
      ),
    )
  expect(['application/json', 'Application/JSON ; charset=utf-8'].map(withType)).toEqual([
    true,
    true,
  ])
  expect(withType('application/jsonp')).toBe(false)
})
