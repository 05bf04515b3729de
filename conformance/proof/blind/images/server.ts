// The service: takes requests, finds their operation, sends the answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { authorize, tokenOf, whoIs } from './access.ts'
import { readBody, tooLarge, type Answer, type Call } from './call.ts'
import { deliver } from './delivery.ts'
import type { Op } from './doors.ts'
import { compose, send } from './envelope.ts'
import { list, read, remove } from './images.ts'
import { apiRoute, batchRoute, type Route } from './routes.ts'
import { tidy } from './store.ts'
import { complete, createTicket, findTicket } from './tickets.ts'
import { upload } from './upload.ts'
import {
  configure,
  createVariant,
  deleteVariant,
  listVariants,
  patchVariant,
  readVariant,
} from './variants.ts'
import { Fault, World, broken, missing, type Ticket } from './world.ts'

export interface Connection {
  baseUrl: string
  account: string
  token: string
  limitedToken: string
  secondAccount: { account: string; token: string }
  batchUrl: string
  batchToken: string
  deliveryUrl: string
  maxFileBytes: number
  clockUrl: string
}

const handlers: Record<Exclude<Op, 'complete'>, (call: Call) => Answer | Promise<Answer>> = {
  upload,
  ticket: createTicket,
  list,
  read,
  delete: remove,
  'variant-create': createVariant,
  'variant-list': listVariants,
  'variant-read': readVariant,
  'variant-patch': patchVariant,
  'variant-delete': deleteVariant,
  config: configure,
  'batch-upload': upload,
  'batch-list': list,
  'batch-delete': remove,
}

interface Job {
  w: World
  request: IncomingMessage
  url: URL
  body: () => Buffer
  // which operation it turned out to be
  op?: Op
}

function wrongMethod(w: World, method: string, allowed: string[]): Fault {
  if (w.on('wrong-method-404')) return missing('Page')
  const common = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  if (!common.includes(method) && w.on('wrong-method-501')) {
    return new Fault(501, 5501, 'The method is not implemented')
  }
  const headers: Record<string, string> = w.on('no-allow') ? {} : { allow: allowed.join(', ') }
  return new Fault(405, 5405, 'The method is not allowed here', headers)
}

function checkHeaders({ w, request }: Job): void {
  const { accept } = request.headers
  if (accept && w.on('json-accept-406') && !/\*\/\*|application\/(\*|json)/.test(accept)) {
    throw new Fault(406, 5406, 'Only application/json is offered')
  }
  if (request.headers['transfer-encoding'] && w.on('chunked-request-411')) {
    throw new Fault(411, 5411, 'Content-Length is needed')
  }
  const token = tokenOf(w, request)
  if (token && w.on('burst-limit')) {
    const now = Date.now()
    const recent = (w.bursts.get(token) ?? []).filter((time) => time > now - 1000)
    w.bursts.set(token, recent)
    if (recent.length >= 25) {
      throw new Fault(429, 5429, 'Too many requests', { 'retry-after': '1' })
    }
    recent.push(now)
  }
}

async function serveApi(job: Job, route: Route | undefined): Promise<Answer> {
  const { w, request, url, body } = job
  const method = request.method ?? 'GET'
  checkHeaders(job)
  if (!route) {
    const token = tokenOf(w, request)
    if (w.on('route-before-auth') || (token && whoIs(w, token))) throw missing('Page')
    throw new Fault(401, 5401, 'A token is needed')
  }
  const op = route.methods[method === 'HEAD' ? 'GET' : method]
  if (!op || op === 'complete') {
    const allowed = Object.keys(route.methods)
    throw wrongMethod(w, method, allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed)
  }
  job.op = op
  const access = authorize(w, op, request, route.account, route.id)
  const door = op.startsWith('batch-') ? 'batch' : 'api'
  const call: Call = {
    w,
    op,
    account: access.account,
    door,
    request,
    url,
    id: route.id,
    rawId: route.rawId,
    body,
  }
  const run = handlers[op]
  if (access.refusal) {
    if (access.yet && w.on(access.yet))
      await Promise.resolve(call)
        .then(run)
        .catch(() => undefined)
    throw access.refusal
  }
  const answer = await run(call)
  if (w.on(`internal-error-${op}`) && w.count(op) % 3 === 0) throw broken()
  return answer
}

function serveUpload(job: Job, secret: string): Answer {
  const { w, request, url, body } = job
  const ticket: Ticket | undefined = findTicket(w, secret)
  if (!ticket) throw missing('Upload URL')
  if (request.method !== 'POST') throw wrongMethod(w, request.method ?? '', ['POST'])
  job.op = 'complete'
  if (w.on('completion-needs-token')) {
    const token = tokenOf(w, request)
    if (!token || !whoIs(w, token)) throw new Fault(401, 5401, 'A token is needed')
  }
  const call: Call = {
    w,
    op: 'complete',
    account: ticket.account,
    door: 'api',
    request,
    url,
    id: '',
    rawId: '',
    body,
  }
  return complete(call, ticket)
}

function serveClock({ w, body }: Job): Answer {
  const sent = JSON.parse(body().toString('utf8')) as { offsetSeconds?: unknown }
  w.offset = Number(sent.offsetSeconds ?? 0) * 1000
  return { status: 200, raw: { type: 'application/json', body: '{"success":true}' } }
}

function serveDelivery(job: Job, path: string): Answer {
  const { w, request, url } = job
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw wrongMethod(w, request.method ?? '', ['GET', 'HEAD'])
  }
  let parts: string[]
  try {
    parts = path.split('/').map(decodeURIComponent)
  } catch {
    throw missing('Image')
  }
  return deliver(w, request, url, parts)
}

async function serve(job: Job): Promise<Answer> {
  const { w, request, url } = job
  const path = url.pathname
  if (request.method === 'OPTIONS' && w.on('cors-headers')) {
    return { status: 204, raw: { type: 'text/plain', body: '' } }
  }
  if (path === '/__clock') return serveClock(job)
  tidy(w)
  const stored = /^\/(?:cdn|stored)\/(.*)$/.exec(path)?.[1]
  if (stored !== undefined) return serveDelivery(job, stored)
  if (path === '/upload' && url.searchParams.has('ticket')) {
    return serveUpload(job, url.searchParams.get('ticket') ?? '')
  }
  if (path.startsWith('/upload/')) return serveUpload(job, path.slice(8))
  const plain = w.on('trailing-slash') ? path.replace(/(.)\/$/, '$1') : path
  if (plain.startsWith('/client/v4/')) return serveApi(job, apiRoute(plain.slice(10)))
  if (plain.startsWith('/batch/')) return serveApi(job, batchRoute(plain.slice(6)))
  throw missing('Page')
}

async function handle(w: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const delivered = /^\/(cdn|stored)\//.test(url.pathname)
  const early =
    w.on('early-413') && Number(request.headers['content-length'] ?? 0) > w.maxFileBytes + 64 * 1024
  const body = early
    ? () => {
        const fault = tooLarge()
        fault.headers['connection'] = 'close'
        throw fault
      }
    : await readBody(request, 16 * 1024 * 1024)
  const job: Job = { w, request, url, body }
  let outcome: Answer | Fault
  try {
    outcome = await serve(job)
  } catch (error) {
    if (!(error instanceof Fault)) console.error(error)
    outcome = error instanceof Fault ? error : broken()
  }
  if (w.on('slow-answers')) await pause(250)
  const sent = compose(w, job.op, outcome)
  if (delivered && outcome instanceof Fault && !w.on('delivery-json-errors')) {
    sent.headers['content-type'] = 'text/plain; charset=utf-8'
    sent.body = outcome.message
  }
  send(w, request, response, sent, !delivered)
}

async function listen(w: World): Promise<Server> {
  const server = createServer((request, response) => {
    handle(w, request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

export async function startServer(
  on: readonly string[],
): Promise<Connection & { close(): Promise<void> }> {
  const w = new World(on)
  const servers = [await listen(w)]
  if (w.on('hosts-on-own-ports')) for (let more = 0; more < 3; more++) servers.push(await listen(w))
  const origin = (index: number): string => {
    const server = servers[index] ?? (servers[0] as Server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  w.origins = {
    api: origin(0),
    batch: origin(1),
    upload: origin(2),
    delivery: `${origin(3)}/cdn`,
  }
  return {
    baseUrl: `${origin(0)}/client/v4`,
    account: w.first.id,
    token: w.first.token,
    limitedToken: w.limitedToken,
    secondAccount: { account: w.second.id, token: w.second.token },
    batchUrl: `${origin(1)}/batch`,
    batchToken: w.batchToken,
    deliveryUrl: `${origin(3)}/cdn/${w.first.hash}`,
    maxFileBytes: w.maxFileBytes,
    clockUrl: `${origin(0)}/__clock`,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise<void>((resolve) => server.close(() => resolve()))
      }
    },
  }
}
