import { describe, expect, test } from 'vitest'
import { findMissingKeys, loadTarget, publicTarget, secretsOf, type Target } from '../../target.ts'
import { TargetError } from '../../target-file/index.ts'
import { isUsedByPattern } from './authentication.ts'

const http = { 'tools.http': 'http://127.0.0.1:1/mcp' }
const load = (
  flags: Record<string, string | boolean>,
  environment: NodeJS.ProcessEnv = {},
): Promise<Target> => loadTarget({ flags: { ...http, ...flags }, environment })
const errorOf = async (flags: Record<string, string | boolean>): Promise<string> => {
  const error: unknown = await load(flags).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(TargetError)
  return (error as Error).message
}

describe('the pattern of authentication', () => {
  test('has keys and defaults', async () => {
    const { tools } = await load({
      'tools.auth.pattern': 'oauth-provider',
      'tools.auth.form': '{"Login": "ada", "password": "open sesame"}',
    })
    expect(tools?.auth).toEqual({
      pattern: 'oauth-provider',
      registration: true,
      consent: 'form',
      form: { Login: 'ada', password: 'open sesame' },
    })
    const jwt = await load(
      {
        'tools.auth.pattern': 'jwt',
        'tools.auth.issuer': 'https://i.example',
        'tools.auth.audience': 'a',
      },
      { TOOLS_JWT_SECRET: 's'.repeat(32) },
    )
    expect(jwt.tools?.auth).toMatchObject({
      pattern: 'jwt',
      secret: 's'.repeat(32),
      issuer: 'https://i.example',
      audience: 'a',
    })
  })

  test.each([
    [
      { 'tools.auth.pattern': 'oauth-provder' },
      /does not accept oauth-provder\. Did you mean oauth-provider\? Expected one of none, jwt/,
    ],
    [{ 'tools.auth.issuer': 'i' }, /tools\.auth\.pattern is missing/],
    [
      { 'tools.auth.pattern': 'jwt' },
      /needs secret, issuer and audience, or token\. Next: export TOOLS_JWT_SECRET/,
    ],
    [
      { 'tools.auth.pattern': 'jwt', 'tools.auth.secret': 's' },
      /secret is set without issuer and audience/,
    ],
    [
      { 'tools.auth.pattern': 'oauth-proxy', 'tools.auth.clientId': 'c' },
      /clientId is set without tools\.auth\.redirectUri/,
    ],
    [
      { 'tools.auth.pattern': 'oauth-proxy', 'tools.auth.registration': 'false' },
      /registration is false, so clientId and redirectUri are required/,
    ],
    [
      { 'tools.auth.pattern': 'oauth-provider', 'tools.auth.consent': 'command' },
      /consent is command, but tools\.auth\.command\.program is not set/,
    ],
    [
      { 'tools.auth.pattern': 'oauth-provider', 'tools.auth.form': 'ada' },
      /form must be an object of strings/,
    ],
  ])('refuses %j', async (flags, message) => expect(await errorOf(flags)).toMatch(message))

  test('needs no keys that only other patterns use', async () => {
    const needs = [
      'tools.auth.secret',
      'tools.auth.form',
      'tools.auth.upstream.scopes',
      'suite.identity',
    ]
    expect(findMissingKeys(await load({}), needs)).toEqual([])
    expect(
      findMissingKeys(await load({ 'tools.auth.pattern': 'jwt', 'tools.auth.token': 't' }), needs),
    ).toEqual(['tools.auth.secret'])
    expect(findMissingKeys(await load({ 'tools.auth.pattern': 'oauth-provider' }), needs)).toEqual([
      'tools.auth.form',
    ])
    expect(findMissingKeys(await load({ 'tools.auth.pattern': 'oauth-proxy' }), needs)).toEqual([
      'tools.auth.form',
      'tools.auth.upstream.scopes',
      'suite.identity',
    ])
    expect([
      isUsedByPattern('tools.search', 'none'),
      isUsedByPattern('tools.auth.clock', 'jwt'),
      isUsedByPattern('tools.auth.clock', 'oauth-proxy'),
    ]).toEqual([true, false, true])
  })

  test('keeps both secrets if two have the same name', async () => {
    const target = await load({
      'tools.stdio.command': 'serve',
      'tools.stdio.args': '["--token", "abc", "--token", "def"]',
      'tools.stdio.env': '{"TOOLS_PASSWORD": "ghi"}',
      'tools.auth.pattern': 'oauth-provider',
      'tools.auth.form': '{"password": "sesame"}',
    })
    expect(Object.values(secretsOf(target))).toEqual(
      expect.arrayContaining(['abc', 'def', 'ghi', 'sesame']),
    )
  })

  test('does not reveal the secrets of the program that serves over stdio', async () => {
    const target = await load({
      'tools.stdio.command': 'serve',
      'tools.stdio.args': '["--token", "abc", "--api-key=def", "--auth", "none", "--port", "1"]',
      'tools.stdio.env': '{"SHELF_PASSWORD": "ghi", "DATABASE": "user:1234@host", "MODE": "fast"}',
    })
    expect(secretsOf(target)).toMatchObject({
      TOOLS_STDIO_ARGS_TOKEN: 'abc',
      TOOLS_STDIO_ARGS_API_KEY: 'def',
      SHELF_PASSWORD: 'ghi',
      DATABASE: 'user:1234@host',
    })
    expect(secretsOf(target)).not.toHaveProperty('MODE')
    expect(publicTarget(target).tools?.stdio).toEqual({
      command: 'serve',
      args: [
        '--token',
        '$TOOLS_STDIO_ARGS_TOKEN',
        '--api-key=$TOOLS_STDIO_ARGS_API_KEY',
        '--auth',
        'none',
        '--port',
        '1',
      ],
      env: { SHELF_PASSWORD: '$SHELF_PASSWORD', DATABASE: '$DATABASE', MODE: '$MODE' },
    })
  })

  test('does not replace ordinary words that are values of environment variables', async () => {
    const target = await load({
      'tools.stdio.command': 'serve',
      'tools.stdio.env':
        '{"A": "tools", "B": "search", "C": "description", "D": "uncommonness", "API_KEY": "description", "SESSION": "closed"}',
    })
    expect(secretsOf(target)).toEqual({
      D: 'uncommonness',
      API_KEY: 'description',
      SESSION: 'closed',
    })
  })

  test('does not reveal its secrets', async () => {
    const target = await load({
      'tools.auth.pattern': 'oauth-provider',
      'tools.auth.form': '{"login": "ada", "password": "sesame"}',
    })
    expect(secretsOf(target)).toMatchObject({ TOOLS_PASSWORD: 'sesame' })
    expect(Object.values(secretsOf(target))).not.toContain('ada')
    expect(publicTarget(target).tools?.auth?.form).toEqual({
      login: '$TOOLS_LOGIN',
      password: '$TOOLS_PASSWORD',
    })
    const jwt = await load({ 'tools.auth.pattern': 'jwt', 'tools.auth.token': 'a.b.c' })
    expect(publicTarget(jwt).tools?.auth?.token).toBe('$TOOLS_TOKEN')
  })
})
