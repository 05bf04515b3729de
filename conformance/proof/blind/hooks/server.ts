import { randomBytes } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Api, prefix } from './api.ts'
import { Dispatch } from './dispatch.ts'
import { Random } from './random.ts'
import { readBody, refuse, Refusal, respond } from './respond.ts'
import { switches } from './switches.ts'
import { flagNames, type Connection, type Obj } from './types.ts'
import { World } from './world.ts'

const triggerPath = '/simulate'

async function trigger(events: Dispatch, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const plain = () => false
  try {
    if (req.method !== 'POST') throw new Refusal(405, 'POST only')
    let body: Obj
    try {
      body = JSON.parse((await readBody(req)).toString()) as Obj
    } catch {
      throw new Refusal(400, 'The body is not JSON')
    }
    const p = events.world.project(body['project'])
    const flag = flagNames.find((f) => f === body['event'])
    if (!p) throw new Refusal(404, 'No such project')
    if (!flag) throw new Refusal(400, 'No such event')
    respond(req, res, plain, 202, { message: 'It will happen' })
    setTimeout(() => {
      events.happen(p, flag, body['action']).catch((e) => console.error(e))
    }, 10)
  } catch (e) {
    refuse(req, res, plain, e instanceof Refusal ? e : new Refusal(500, String(e)))
  }
}

/** Options that only the self-test uses, to make runs repeatable. */
export interface Options {
  seed?: string
  now?: () => number
}

export async function startServer(
  on: readonly string[],
  options: Options = {},
): Promise<Connection & { close(): Promise<void> }> {
  const known = new Set(switches.map((s) => s.name))
  for (const name of on) if (!known.has(name)) throw new Error(`unknown switch: ${name}`)
  const active = new Set(on)
  const has = (name: string) => active.has(name)
  const seed = options.seed ?? randomBytes(8).toString('hex')
  const token = 'glpat-' + new Random(seed + ':token').hex(12) + 'Xk-' + new Random(seed).hex(8)
  const world = new World(seed, options.now ?? (() => Date.now()))
  const events = new Dispatch(world, has, token)
  const api = new Api(events)
  const server = http.createServer((req, res) => {
    const path = (req.url ?? '/').split('?')[0]!
    const base = prefix(has)
    if (path === triggerPath) void trigger(events, req, res)
    else if (path.startsWith(base + '/')) void api.handle(req, res, path.slice(base.length))
    else refuse(req, res, has, new Refusal(404, '404 Not Found'))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl: origin + prefix(has),
    project: world.projects[0]!.id,
    secondProject: world.projects[1]!.id,
    token,
    triggerUrl: origin + triggerPath,
    close: () =>
      new Promise<void>((done) => {
        events.close()
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
