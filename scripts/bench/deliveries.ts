import { Agent, createServer, request, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ask, startedMock } from './process.ts'
import { median, paired, type Row } from './row.ts'

const rounds = 5
const perRound = 4000
/** Hooks that share the deliveries. */
const hooks = 8
/** Test calls under way at once. */
const callers = 32
/** Events that a second has to have room for. */
const wanted = 1000

/** What the hook service delivers in a second, whether a receiver that never answers holds up the others, and whether its memory stays flat. */
export async function deliveries(): Promise<Row[]> {
  const { child, said: mock } = await startedMock('hooks')
  const said = {
    url: mock.urls['api']!,
    project: mock.identifiers['project']!,
    token: mock.tokens['api']!,
  }
  let came = 0
  let all = () => {}
  const quick = await listening((incoming, answer) => {
    incoming.resume().on('end', () => {
      answer.end()
      came += 1
      if (came === perRound) all()
    })
  })
  const silent = await listening((incoming) => void incoming.resume())
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  try {
    const made = await Promise.all(
      Array.from({ length: hooks }, () => create(said, agent, quick.url)),
    )
    const stuck = await create(said, agent, silent.url)

    const round = async (slow: boolean): Promise<number> => {
      came = 0
      const done = new Promise<void>((resolve) => (all = resolve))
      const begun = performance.now()
      // More than the service has under way at once for one hook.
      if (slow) await Promise.all(Array.from({ length: 50 }, () => call(said, agent, stuck)))
      await Promise.all([
        done,
        ...Array.from({ length: callers }, async (_, caller) => {
          for (let count = caller; count < perRound; count += callers)
            await call(said, agent, made[count % hooks]!)
        }),
      ])
      return performance.now() - begun
    }
    const memory = async () => (await ask<{ rss: number }>(child, {})).rss / 1024 / 1024

    await round(false)
    const early = await memory()
    const [alone, beside]: [number[], number[]] = [[], []]
    for (let count = 0; count < rounds; count += 1) {
      alone.push(await round(false))
      beside.push(await round(true))
    }
    const late = await memory()
    const each = (1000 * median(alone)) / perRound
    return [
      {
        what: `${wanted} deliveries, each by a test call`,
        ours: (each * wanted) / 1000,
        against: 1000,
        unit: 'ms',
        baseline: 'a second',
        ratio: (each * wanted) / 1_000_000,
        atMost: 1,
      },
      paired(
        {
          what: `${perRound} deliveries beside a receiver that never answers`,
          unit: 'ms',
          baseline: 'the same without it',
          atMost: 1.5,
        },
        beside,
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

async function listening(handler: RequestListener): Promise<{ server: Server; url: string }> {
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
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
      answer.on('end', () =>
        (answer.statusCode ?? 500) < 300
          ? resolve(text)
          : reject(new Error(`${url} answered ${answer.statusCode} ${text}`)),
      )
    })
    outgoing.on('error', reject).end(body)
  })
}
