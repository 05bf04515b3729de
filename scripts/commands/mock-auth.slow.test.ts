import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { afterEach, describe, expect, test } from 'vitest'
import { UsageError } from '../print-error.ts'
import { describe as describeMockCommand } from './mock.ts'
import { authSettings } from './mock/auth.ts'
import {
  initialize,
  startCommand,
  stopAll,
  untilPrinted,
  type CommandRun,
} from './command.testing.ts'

const started: CommandRun[] = []
afterEach(() => stopAll(started))

interface MockOutput {
  mocks: {
    tools: { urls: { mcp: string }; tokens: Record<string, string>; resourceServer?: string }
    identity: { urls: { identity: string }; tokens: Record<string, string> }
  }
  target: object
}

async function mock(...args: string[]): Promise<{ run: CommandRun; printed: MockOutput }> {
  const run = startCommand(['mock', ...args, '--port', '0', '--json'])
  started.push(run)
  await untilPrinted(run, '\n')
  return { run, printed: JSON.parse(run.output.out) as MockOutput }
}

const greet = async (url: string, headers: Record<string, string> = {}) =>
  (
    await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(initialize),
    })
  ).status

describe('touchstone mock tools --auth', () => {
  test('jwt prints a token that the server accepts, and a target file for the suite', async () => {
    const {
      printed: {
        mocks: {
          tools: {
            urls: { mcp },
            tokens,
          },
        },
        target,
      },
    } = await mock('tools', '--auth', 'jwt')
    expect([
      await greet(mcp),
      await greet(mcp, { authorization: `Bearer ${tokens['bearer']}` }),
      Buffer.byteLength(tokens['secret'] ?? ''),
    ]).toEqual([401, 200, 43])
    expect(target).toMatchObject({
      tools: {
        http: mcp,
        auth: {
          pattern: 'jwt',
          secret: tokens['secret'],
          issuer: 'https://issuer.example',
          audience: 'shelf_mcp',
        },
      },
    })
    const text = startCommand([
      'mock',
      'tools',
      '--auth',
      'jwt',
      '--port',
      '0',
      '--audience',
      'mine',
    ])
    started.push(text)
    await untilPrinted(text, 'Ctrl-C')
    expect(text.output.out).toMatch(/audience +mine\n[^]*curl -H 'Authorization: Bearer ey/)
    const { tools: printedTarget } = JSON.parse(
      await readFile(/--target (\S+)/.exec(text.output.out)![1]!, 'utf8'),
    ) as { tools: { auth: object } }
    expect(printedTarget.auth).toMatchObject({ pattern: 'jwt', audience: 'mine' })
  })

  test.each([
    ['oauth-provider', [], 'shelf-api'],
    ['oauth-proxy', ['--resource-server-id', 'api', '--resource-server-secret', 'hush'], 'api'],
  ])(
    '%s prints the credentials with which a resource server introspects tokens',
    async (pattern, options, id) => {
      const { printed } = await mock('tools', '--auth', pattern, ...options)
      const { urls, tokens, resourceServer } = printed.mocks.tools
      expect(resourceServer).toBe(id)
      const introspect = async (secret: string) => {
        const response = await fetch(new URL('/introspect', urls.mcp), {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
          body: new URLSearchParams({ token: 'unknown' }),
        })
        return [response.status, await response.json()]
      }
      expect(await introspect(tokens['resourceServer'] ?? '')).toEqual([200, { active: false }])
      expect(await introspect('wrong')).toMatchObject([401, { error: 'invalid_client' }])
    },
  )

  test.each(['oauth-provider', 'oauth-proxy'])(
    '%s publishes its metadata, and refuses requests without a token',
    async (pattern) => {
      const {
        printed: {
          mocks: {
            tools: {
              urls: { mcp },
            },
          },
        },
      } = await mock('tools', '--auth', pattern)
      expect(await greet(mcp)).toBe(401)
      const { origin } = new URL(mcp)
      const metadata = await (
        await fetch(`${origin}/.well-known/oauth-authorization-server`)
      ).json()
      expect(metadata).toMatchObject({
        issuer: origin,
        registration_endpoint: `${origin}/register`,
      })
    },
  )

  test('oauth-proxy redirects to the identity provider of --identity', async () => {
    const {
      printed: {
        mocks: { identity },
      },
    } = await mock('identity', '--client-id', 'mine')
    const {
      printed: {
        mocks: {
          tools: {
            urls: { mcp },
          },
        },
      },
    } = await mock(
      'tools',
      '--auth',
      'oauth-proxy',
      '--identity',
      identity.urls.identity,
      '--client-id',
      'mine',
      '--scopes',
      'one',
      '--no-consent-screen',
    )
    const { origin } = new URL(mcp)
    const { client_id: id } = (await (
      await fetch(`${origin}/register`, {
        method: 'POST',
        body: JSON.stringify({
          redirect_uris: ['http://127.0.0.1:5/'],
          token_endpoint_auth_method: 'none',
        }),
      })
    ).json()) as { client_id: string }
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const location = new URL(
      (await fetch(`${origin}/authorize?${query}`, { redirect: 'manual' })).headers.get(
        'location',
      ) ?? '',
    )
    expect([
      location.origin,
      location.searchParams.get('client_id'),
      location.searchParams.get('scope'),
    ]).toEqual([identity.urls.identity, 'mine', 'one'])
  })

  test('oauth-proxy uses the identity provider that is started together with it', async () => {
    const { printed } = await mock('tools', 'identity', '--auth', 'oauth-proxy')
    const { origin } = new URL(printed.mocks.tools.urls.mcp)
    expect(Object.keys(printed.mocks)).toEqual(['tools', 'identity'])
    const redirect = 'http://127.0.0.1:5/'
    const { client_id: id } = (await (
      await fetch(`${origin}/register`, {
        method: 'POST',
        body: JSON.stringify({
          redirect_uris: [redirect],
          token_endpoint_auth_method: 'none',
        }),
      })
    ).json()) as { client_id: string }
    expect(id).toEqual(expect.any(String))
    const run = startCommand([
      ...['mock', 'tools', 'identity', '--auth', 'oauth-proxy', '--port', '0'],
    ])
    started.push(run)
    await untilPrinted(run, 'Ctrl-C')
    const url = /^identity +identity +(\S+)/m.exec(run.output.out)![1]!
    expect(run.output.out).toMatch(new RegExp(`^tools +identity +${url}/authorize$`, 'm'))
  })

  test.each([
    [
      ['tools', '--auth', 'magic'],
      '--auth must be one of none, jwt, oauth-proxy, oauth-provider, not magic',
    ],
    [['tools', '--auth', 'jwt', '--jwt-secret', 'short'], 'at least 32 bytes (256 bits); it has 5'],
    [['tools', '--jwt-secret', 'x'.repeat(32)], '--jwt-secret needs --auth jwt'],
    [['tools', '--auth', 'oauth-provider', '--scopes', 'x'], '--scopes needs --auth oauth-proxy'],
    [
      ['tools', '--auth', 'oauth-proxy', '--identity', 'x'],
      '--identity must be an http or https URL',
    ],
    [['tools', '--no-consent-screen'], '--no-consent-screen needs --auth oauth-proxy'],
    [
      ['tools', '--no-client-registration', '--auth', 'jwt'],
      'needs --auth oauth-proxy or oauth-provider',
    ],
    [['identity', '--consent', 'x'], '--consent must be auto or form'],
    [
      ['tools', '--auth', 'jwt', '--resource-server-secret', 'x'],
      '--resource-server-secret needs --auth oauth-proxy or oauth-provider',
    ],
    [
      ['tools', '--transport', 'stdio', '--auth', 'jwt'],
      '--transport stdio cannot be combined with --auth',
    ],
  ])('%j is a usage error', async (args, text) => {
    const program = new Command('touchstone')
    describeMockCommand(program.command('mock'))
    const error = await program
      .parseAsync(['mock', ...args], { from: 'user' })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toContain(text)
  })

  test('reads secrets from the environment, unless options set them', () => {
    const environment = {
      TOOLS_JWT_SECRET: 'x'.repeat(32),
      CLIENT_ID: 'id',
      CLIENT_SECRET: 'secret',
      OAUTH_KV: 'kv.json',
    }
    expect(authSettings({ auth: 'jwt' }, environment).jwt).toEqual({ secret: 'x'.repeat(32) })
    expect(authSettings({ auth: 'jwt', jwtSecret: 'y'.repeat(32) }, environment).jwt).toEqual({
      secret: 'y'.repeat(32),
    })
    expect(authSettings({ auth: 'oauth-proxy', clientId: 'other' }, environment)).toMatchObject({
      credentials: { clientId: 'other', clientSecret: 'secret' },
      oauthKv: 'kv.json',
      consentScreen: true,
      clientRegistration: true,
    })
  })
})
