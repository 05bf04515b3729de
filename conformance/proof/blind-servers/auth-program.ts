import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
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

/** A program by one author that implements three patterns. */
interface AuthProgram {
  /** Its file in the folder of the blind implementations. */
  readonly file: string
  /** The end of the names of its servers. */
  readonly suffix: string
  /** The tool that lists items, and the field with the title of an item. */
  readonly list: { readonly tool: string; readonly title: string }
  readonly unmet?: NonNullable<BlindServer['unmet']>
}

/** One server for each pattern, because a switch can concern several of them. */
export function newAuthServers({ file, suffix, list, unmet }: AuthProgram): BlindServer[] {
  const switches = JSON.parse(
    readFileSync(blindPath(`${dirname(file)}/switches.json`), 'utf8'),
  ) as readonly (BlindSwitch & { patterns: readonly Pattern[] })[]
  return (['jwt', 'oauth-proxy', 'oauth-provider'] as const).map((pattern): BlindServer => ({
    name: `${pattern}-${suffix}`,
    switches: switches.filter(({ patterns }) => patterns.includes(pattern)),
    skipped: [],
    ...(unmet === undefined ? {} : { unmet }),
    realTime: 'all',
    async start(on) {
      const controls = await startControls()
      const { facts, close } = await startBlindProcess<AuthFacts>(file, on, {
        args: ['--pattern', pattern],
        env: {
          CLOCK: '1',
          PYTHONDONTWRITEBYTECODE: '1',
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
              tool: list.tool,
              arguments: {},
              id: 'id',
              title: list.title,
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
}
