import { Agent, createServer, request, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ask, startMock } from './process.ts'
import { median, comparePairs, type Measurement } from './measurement.ts'

const rounds = 5
const perRound = 4000
/** The number of hooks that receive the deliveries in turn. */
const hookCount = 8
/** The number of test calls at a time. */
const callers = 32
/** The number of deliveries that the service must complete in a second. */
const required = 1000

/**
 * Measures how fast the hook service delivers, and whether its memory stays constant. Also measures
 * whether a receiver that never responds delays deliveries to other receivers.
 */
export async function measureDeliveries(): Promise<Measurement[]> {
  const { child, firstMessage: mock } = await startMock('hooks')
  const firstMessage = {
    url: mock.urls['api']!,
    project: mock.identifiers['project']!,
    token: mock.tokens['api']!,
  }
  let delivered = 0
  let onAllDelivered = () => {}
  const quick = await startServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.end()
      delivered += 1
      if (delivered === perRound) onAllDelivered()
    })
  })
  const silent = await startServer((incoming) => void incoming.resume())
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  try {
    const hookPaths = await Promise.all(
      Array.from({ length: hookCount }, () => create(firstMessage, agent, quick.url)),
    )
    const stuck = await create(firstMessage, agent, silent.url)

    const round = async (slow: boolean): Promise<number> => {
      delivered = 0
      const done = new Promise<void>((resolve) => (onAllDelivered = resolve))
      const begun = performance.now()
      // Sends the silent receiver more test calls than the service delivers concurrently for one
      // hook.
      if (slow)
        await Promise.all(Array.from({ length: 50 }, () => call(firstMessage, agent, stuck)))
      await Promise.all([
        done,
        ...Array.from({ length: callers }, async (_, caller) => {
          for (let count = caller; count < perRound; count += callers)
            await call(firstMessage, agent, hookPaths[count % hookCount]!)
        }),
      ])
      return performance.now() - begun
    }
    const memory = async () => (await ask<{ rss: number }>(child, {})).rss / 1024 / 1024

    await round(false)
    const early = await memory()
    const [alone, withSilent]: [number[], number[]] = [[], []]
    for (let count = 0; count < rounds; count += 1) {
      alone.push(await round(false))
      withSilent.push(await round(true))
    }
    const late = await memory()
    const each = (1000 * median(alone)) / perRound
    return [
      {
        what: `${required} deliveries, each by a test call`,
        ours: (each * required) / 1000,
        against: 1000,
        unit: 'ms',
        baseline: 'a second',
        ratio: (each * required) / 1_000_000,
        atMost: 1,
      },
      comparePairs(
        {
          what: `${perRound} deliveries together with a receiver that never responds`,
          unit: 'ms',
          baseline: 'the same without it',
          atMost: 1.5,
        },
        withSilent,
        alone,
      ),
      {
        what: `memory after ${(2 * rounds + 1) * perRound} deliveries`,
        ours: late,
        against: early,
        unit: 'MB',
        baseline: `after ${perRound}`,
        ratio: late / early,
        atMost: 1.5,
      },
    ]
  } finally {
    child.kill()
    agent.destroy()
    for (const { server } of [quick, silent]) {
      server.close()
      server.closeAllConnections()
    }
  }
}

async function startServer(handler: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

interface HookService {
  url: string
  project: string
  token: string
}

async function create(
  { url, project, token }: HookService,
  agent: Agent,
  receiver: string,
): Promise<string> {
  const { id } = JSON.parse(
    await post(`${url}/projects/${project}/hooks`, token, agent, JSON.stringify({ url: receiver })),
  ) as { id: number }
  return `/projects/${project}/hooks/${id}/test/push_events`
}

const call = ({ url, token }: HookService, agent: Agent, path: string) =>
  post(url + path, token, agent)

function post(url: string, token: string, agent: Agent, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'PRIVATE-TOKEN': token,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
      response.on('end', () =>
        (response.statusCode ?? 500) < 300
          ? resolve(text)
          : reject(new Error(`${url} responded with ${response.statusCode} ${text}`)),
      )
    })
    outgoing.on('error', reject).end(body)
  })
}
