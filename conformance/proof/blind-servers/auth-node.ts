import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { blindPath, startBlindProcess, type BlindServer, type BlindSwitch } from './blind-server.ts'
import { startLoopback } from './loopback.ts'

type Pattern = 'jwt' | 'oauth-proxy' | 'oauth-provider'

/** What the server prints when it is ready, with the members that apply to its pattern. */
interface AuthFacts {
  mcp: string
  origin: string
  whoami: { tool: string; arguments: Record<string, unknown>; login: string; email: string }
  secret?: string
  issuer?: string
  audience?: string
  form?: { fields: Record<string, string>; submit: string }
  introspection?: { client_id: string; client_secret: string }
  clock?: string
}

const upstream = {
  clientId: 'notes',
  clientSecret: 'secret-of-the-proxy-at-its-identity-provider',
  scopes: ['read:user', 'user:email'],
}

/** The server closes idle connections after a few seconds, perhaps while a request arrives. */
const freshConnection = { connection: 'close' }

/**
 * Starts what a target file expects of this server and its author did not know: an endpoint that
 * sets the clock, and one that sets the identity provider, whose addresses the server reads only
 * when it starts.
 */
async function startControls() {
  const settings = { clock: undefined as string | undefined, identity: '', offsetSeconds: 0 }
  const loopback = await startLoopback((request, response) => {
    const { url = '/', method, headers } = request
    const handle = async () => {
      const body = await text(request)
      if (url === '/clock') {
        const { offsetSeconds } = JSON.parse(body) as { offsetSeconds: number }
        const advanceSeconds = offsetSeconds - settings.offsetSeconds
        settings.offsetSeconds = offsetSeconds
        return fetch(settings.clock!, {
          method: 'POST',
          headers: freshConnection,
          body: JSON.stringify({ advanceSeconds }),
        })
      }
      if (url === '/identity') {
        settings.identity = (JSON.parse(body) as { url: string | null }).url ?? ''
        return new Response('', { status: 204 })
      }
      const target = `${settings.identity}${url}`
      if (url.startsWith('/authorize'))
        return new Response('', { status: 302, headers: { location: target } })
      const { authorization, accept } = headers
      const sent = {
        ...freshConnection,
        authorization,
        accept,
        'content-type': headers['content-type'],
      }
      return fetch(target, {
        method: method!,
        headers: Object.entries(sent).filter((pair): pair is [string, string] => !!pair[1]),
        ...(method === 'POST' ? { body } : {}),
      })
    }
    handle().then(
      async (reply) => {
        const type = reply.headers.get('content-type')
        const location = reply.headers.get('location')
        response
          .writeHead(reply.status, {
            ...(type === null ? {} : { 'Content-Type': type }),
            ...(location === null ? {} : { Location: location }),
          })
          .end(Buffer.from(await reply.arrayBuffer()))
      },
      () => response.destroy(),
    )
  })
  return { settings, ...loopback }
}

const switches = JSON.parse(
  readFileSync(blindPath('auth-node/switches.json'), 'utf8'),
) as readonly (BlindSwitch & { patterns: readonly Pattern[] })[]

/** One server for each pattern, because a switch can concern several of them. */
export const authNodeServers: readonly BlindServer[] = (
  ['jwt', 'oauth-proxy', 'oauth-provider'] as const
).map((pattern): BlindServer => ({
  name: `${pattern}-node`,
  switches: switches.filter(({ patterns }) => patterns.includes(pattern)),
  skipped: [],
  unmet: {
    'TOOL-MCP-17 returns no result for requests that JSON-RPC does not allow › params that are a string: returns no result':
      'returns a result for a ping whose params are a string',
  },
  realTime: 'all',
  async start(on) {
    const controls = await startControls()
    const { facts, close } = await startBlindProcess<AuthFacts>('auth-node/server.mjs', on, {
      args: ['--pattern', pattern],
      env: {
        CLOCK: '1',
        UPSTREAM_AUTHORIZE_URL: `${controls.url}/authorize`,
        UPSTREAM_TOKEN_URL: `${controls.url}/token`,
        UPSTREAM_USER_URL: `${controls.url}/user`,
        UPSTREAM_CLIENT_ID: upstream.clientId,
        UPSTREAM_CLIENT_SECRET: upstream.clientSecret,
        UPSTREAM_SCOPES: upstream.scopes.join(' '),
      },
    })
    controls.settings.clock = facts.clock
    const { mcp, origin, secret, issuer, audience, form, introspection } = facts
    const { tool, arguments: given } = facts.whoami
    return {
      target: {
        tools: {
          http: mcp,
          search: {
            tool: 'notes_list_notes',
            arguments: {},
            id: 'id',
            title: 'text',
            query: false,
          },
          auth: {
            pattern,
            whoami: { tool, arguments: given },
            ...(pattern === 'jwt'
              ? { secret, issuer, audience }
              : {
                  url: origin,
                  form: form!.fields,
                  approve: form!.submit,
                  clock: `${controls.url}/clock`,
                  registration: true,
                  consent: 'form' as const,
                  ...(on.includes('resource-required') ? { resource: mcp } : {}),
                }),
            ...(introspection === undefined
              ? {}
              : {
                  introspection: {
                    clientId: introspection.client_id,
                    clientSecret: introspection.client_secret,
                  },
                }),
            ...(pattern === 'oauth-proxy'
              ? { upstream: { ...upstream, control: `${controls.url}/identity` } }
              : {}),
          },
        },
      },
      async close() {
        await Promise.all([close(), controls.close()])
      },
    }
  },
}))
