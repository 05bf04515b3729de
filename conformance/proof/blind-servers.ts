import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { flags } from '../../generated/events/names.ts'
import type { RequirementId } from '../../generated/requirements/index.ts'
import { startServer as startAuth } from './blind/auth/server.ts'
import { switches as authSwitches } from './blind/auth/switches.ts'
import { startServer as startHooks } from './blind/hooks/server.ts'
import { switches as hooksSwitches } from './blind/hooks/switches.ts'
import { startServer as startImages } from './blind/images/server.ts'
import { switches as imagesSwitches } from './blind/images/switches.ts'
import { startServer as startReceiver } from './blind/receiver/server.ts'
import { switches as receiverSwitches } from './blind/receiver/switches.ts'
import { blindPath, startPython } from './blind-process.ts'
import type { Started } from './family.ts'

/** One behaviour that a blind implementation can change, as its author describes it. */
export interface BlindSwitch {
  readonly name: string
  /** Whether its author considers the behaviour allowed, or a violation. */
  readonly kind: 'choice' | 'violation'
  /** The heading of the document, or the section of a standard, that the behaviour concerns. */
  readonly where: string
  readonly does: string
}

/**
 * A server by an author who has read only the document and the standards that it names, and nothing
 * of this project. The folder `blind` contains these servers as they were when the suite first
 * tested them.
 */
export interface BlindServer {
  readonly name: string
  readonly switches: readonly BlindSwitch[]
  /** The contract by whose checks it is judged; by default all that its target names. */
  readonly contract?: 'auth'
  /** Open requirements whose checks are left out, because they would wait long for this server. */
  readonly skipped: readonly RequirementId[]
  /**
   * Switches that concern times of a second and more: they are judged in real time. A separate
   * process has no other clock.
   */
  readonly realTime: readonly string[] | 'all'
  start(on: readonly string[]): Promise<Started>
}

const images: BlindServer = {
  name: 'images',
  switches: imagesSwitches,
  skipped: [],
  realTime: [
    'slow-answers',
    'burst-limit',
    'list-lag',
    'delete-lag',
    'delivery-warm-up',
    'delivery-cache-second',
  ],
  async start(on) {
    const server = await startImages(on)
    const { baseUrl, account, token, limitedToken, maxFileBytes } = server
    return {
      target: {
        images: {
          url: baseUrl,
          account,
          token,
          limitedToken,
          other: server.secondAccount,
          batch: { url: server.batchUrl, token: server.batchToken },
          // The author's delivery URL ends with the hash of the account.
          delivery: server.deliveryUrl.replace(/\/[^/]+\/?$/, ''),
          maxFileBytes,
          bulk: true,
          clock: server.clockUrl,
          flexibleVariants: false,
          state: true,
        },
      },
      // The defaults of a run that is not a proof.
      suite: { pictures: {}, settle: 2000 },
      close: () => server.close(),
    }
  },
}

const hooks: BlindServer = {
  name: 'hooks',
  switches: hooksSwitches,
  // Its check waits ten seconds for a receiver.
  skipped: ['EVT-FAILURE-03'],
  realTime: ['test-status-202-later', 'deliver-late', 'deliver-out-of-order', 'rate-limit'],
  async start(on) {
    const server = await startHooks(on)
    const trigger = await startTrigger(server.triggerUrl, server.project)
    return {
      target: {
        hooks: {
          url: server.baseUrl,
          project: String(server.project),
          otherProject: String(server.secondProject),
          token: server.token,
          trigger: { url: trigger.url },
          // The operator of a service that can test only pushes declares that.
          triggers: on.includes('test-push-only')
            ? ['push_events']
            : [...Object.values(flags), 'confidential_issues_events'],
          state: true,
        },
      },
      async close() {
        await Promise.all([trigger.close(), server.close()])
      },
    }
  },
}

/** Adds the project to the requests for events, which the author's endpoint requires. */
const startTrigger = (url: string, project: number) =>
  startServer((request, response) => {
    void json(request)
      .then((body) =>
        fetch(url, { method: 'POST', body: JSON.stringify({ ...(body as object), project }) }),
      )
      .then(({ status }) => response.writeHead(status).end())
  })

/** Starts a server on loopback. */
async function startServer(
  handle: RequestListener,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const receiver: BlindServer = {
  name: 'receiver',
  switches: receiverSwitches,
  skipped: [],
  realTime: ['takes-a-second', 'takes-four-seconds', 'mismatch-slow'],
  async start(on) {
    const server = await startReceiver(on)
    const { url, secret, onMismatch } = server
    return {
      target: {
        receiver: {
          url,
          secret,
          onMismatch,
          events: server.events.map((kind) => (kind === 'build' ? 'job' : kind)) as never,
        },
      },
      close: () => server.close(),
    }
  },
}

const greetingSwitches = readSwitches('greeting')

const greeting: BlindServer = {
  name: 'greeting',
  switches: greetingSwitches,
  skipped: [],
  realTime: 'all',
  async start(on) {
    const args = on.flatMap((name) => ['--on', name])
    const { facts, close } = await startPython<{ address: string }>('greeting/server.py', args)
    const changesRelationship = greetingSwitches.some(
      ({ name, kind }) => kind === 'choice' && on.includes(name),
    )
    return {
      target: {
        greeting: {
          address: facts.address,
          service: 'examples.GreetingService',
          // A server with another behavior may respond otherwise, and then its operator does not
          // declare this.
          ...(changesRelationship ? {} : { relationship: 'one-to-one' as const }),
          ...(on.includes('needs-authorization')
            ? { metadata: { authorization: 'Bearer a-token' } }
            : {}),
        },
      },
      close,
    }
  },
}

interface ToolFacts {
  search: { tool: string; arguments: Json; id: string; title: string }
  long: { tool: string; arguments: Json; id: string }
  get: { tool: string; arguments: Json }
  calls: { tool: string; arguments: Json }[]
  elicit: { tool: string; arguments: Json; content: Json }
  resource: string
}
type Json = Record<string, unknown>

const tools: BlindServer = {
  name: 'tools',
  switches: readSwitches('tools'),
  skipped: [],
  realTime: 'all',
  async start(on) {
    const switched = on.flatMap((name) => ['--on', name])
    const { calls, ...facts } = JSON.parse(
      readFileSync(blindPath('tools/facts.json'), 'utf8'),
    ) as ToolFacts
    const { facts: urls, close } = await startPython<
      Record<'http' | 'sse' | 'upstreamControl' | 'clock', string>
    >('tools/server.py', ['--transport', 'http', ...switched])
    // The author's tools use their own data if the API behind them returns an unknown object.
    const api = await startServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
    return {
      target: {
        tools: {
          http: urls.http,
          sse: urls.sse,
          stdio: {
            command: 'python3',
            args: [blindPath('tools/server.py'), '--transport', 'stdio', ...switched],
            env: { UPSTREAM_URL: '{upstream}', PYTHONDONTWRITEBYTECODE: '1' },
          },
          ...facts,
          calls: Object.fromEntries(calls.map((call) => [call.tool, call.arguments])),
          upstream: { control: urls.upstreamControl, forward: api.url },
          clock: urls.clock,
        },
      },
      async close() {
        await Promise.all([api.close(), close()])
      },
    }
  },
}

const authServers = (['jwt', 'oauth-proxy', 'oauth-provider'] as const).map(
  (pattern): BlindServer => ({
    name: pattern,
    contract: 'auth',
    switches: authSwitches.filter((one) => one.pattern === pattern),
    // The author's proxy does not follow the recommendation to use PKCE at the identity provider.
    skipped: pattern === 'oauth-proxy' ? ['AUTH-PROXY-15'] : [],
    realTime: 'all',
    async start(on) {
      const { close, ...server } = await startAuth(pattern, on)
      const { mcpUrl, whoami, secret, issuer, audience, form, clockUrl } = server
      const { origin, registration, upstream, identityControlUrl } = server
      return {
        target: {
          tools: {
            http: mcpUrl,
            auth: {
              pattern,
              whoami,
              ...(secret === undefined ? {} : { secret, issuer, audience }),
              ...(form === undefined
                ? {}
                : { url: origin, form, clock: clockUrl, registration, consent: 'form' as const }),
              ...(on.includes('scope-required') ? { scope: 'profile email' } : {}),
              ...(on.includes('resource-required') ? { resource: mcpUrl } : {}),
              ...(upstream === undefined
                ? {}
                : { upstream: { ...upstream, control: identityControlUrl } }),
            },
          },
        },
        close,
      }
    },
  }),
)

/** The switches of an implementation in another language, as its `--list` prints them. */
function readSwitches(name: string): BlindSwitch[] {
  return JSON.parse(readFileSync(blindPath(`${name}/switches.json`), 'utf8')) as BlindSwitch[]
}

export const blindServers: readonly BlindServer[] = [
  images,
  hooks,
  receiver,
  greeting,
  tools,
  ...authServers,
]

export function findBlindServer(name: string): BlindServer {
  const found = blindServers.find((server) => server.name === name)
  if (found === undefined) throw new Error(`there is no blind implementation ${name}`)
  return found
}
