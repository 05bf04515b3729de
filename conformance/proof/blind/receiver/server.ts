import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answerRules } from './answer-rules.ts'
import { switches } from './switches.ts'
import { tokenRules } from './token-rules.ts'
import {
  kinds,
  type Connection,
  type Delivery,
  type Doc,
  type Memory,
  type Verdict,
} from './types.ts'

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const headerNames: Record<string, string> = {
  push: 'Push Hook',
  tag_push: 'Tag Push Hook',
  issue: 'Issue Hook',
  merge_request: 'Merge Request Hook',
  pipeline: 'Pipeline Hook',
  build: 'Job Hook',
  deployment: 'Deployment Hook',
  wiki_page: 'Wiki Page Hook',
  release: 'Release Hook',
}

class Receiver {
  private memory: Memory = {
    deliveries: 0,
    accepted: 0,
    wrongTokens: 0,
    lastWasWrong: false,
    sawBadBody: false,
    sawTagDeletion: false,
    bodies: new Set(),
    open: 0,
    workUntil: 0,
  }
  private sockets = new WeakMap<Socket, { count: number; trusted: boolean }>()
  private queue: Doc[] = []
  private working = false

  readonly on: (name: string) => boolean
  readonly path: string
  readonly secret: string
  readonly events: readonly string[]
  constructor(
    on: (name: string) => boolean,
    path: string,
    secret: string,
    events: readonly string[],
  ) {
    this.on = on
    this.path = path
    this.secret = secret
    this.events = events
  }

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { on, memory } = this
    const method = req.method ?? ''
    if ((req.url ?? '') !== this.path) return this.answer(res, 404, 'not here')
    if (method !== 'POST' && !(on('any-method') && method === 'PUT')) {
      req.resume()
      if (on('get-shows-health') && method === 'GET') return this.answer(res, 200, 'alive')
      if (on('get-404')) return this.answer(res, 404, 'not here')
      res.setHeader('Allow', 'POST')
      return this.answer(res, 405, 'POST only')
    }
    memory.open += 1
    try {
      await this.receive(req, res)
    } finally {
      memory.open -= 1
    }
  }

  private async receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { on, memory } = this
    memory.deliveries += 1
    const socket = this.sockets.get(req.socket) ?? { count: 0, trusted: false }
    this.sockets.set(req.socket, socket)
    socket.count += 1
    const value = req.headers['x-hook-token']
    const given = Array.isArray(value) ? value.join(', ') : value
    const right = this.matches(given)
    if (!right && on('mismatch-before-body')) {
      req.resume()
      return this.mismatch(res, given)
    }
    const parts: Buffer[] = []
    let size = 0
    for await (const part of req) {
      size += (part as Buffer).length
      if (size <= 30e6) parts.push(part as Buffer)
    }
    const text = Buffer.concat(parts).toString()
    let doc: Doc | undefined
    try {
      const parsed: unknown = JSON.parse(text)
      if (parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)) doc = parsed
    } catch {
      /* told below */
    }
    const delivery: Delivery = {
      headers: req.headers,
      rawHeaders: req.rawHeaders,
      text,
      doc: doc ?? {},
      kind: String(doc?.['object_kind'] ?? ''),
      onSocket: socket.count,
      socketTrusted: socket.trusted,
    }
    const taken =
      right || tokenRules.some((r) => on(r.name) && r.takes(given, this.secret, delivery, memory))
    if (right) socket.trusted = true
    if (!taken) {
      await this.mismatch(res, given)
      memory.wrongTokens += 1
      memory.lastWasWrong = true
      return
    }
    if (size > (on('limit-10-mb') ? 10e6 : 25e6)) return this.answer(res, 413, 'too large')
    if (!doc) {
      memory.sawBadBody = true
      if (on('bad-json-acknowledged')) return this.acknowledge(res, delivery)
      return this.answer(res, on('bad-json-422') ? 422 : 400, 'not JSON')
    }
    const refusal = this.formal(delivery)
    if (refusal) return this.answer(res, refusal[0], refusal[1])
    await this.take(req, res, delivery)
  }

  private async take(req: IncomingMessage, res: ServerResponse, d: Delivery): Promise<void> {
    const { on, memory } = this
    const verdict: Verdict = {}
    for (const r of answerRules) if (on(r.name)) Object.assign(verdict, r.spoils(d, memory))
    memory.accepted += 1
    memory.lastWasWrong = false
    memory.workUntil = Math.max(memory.workUntil, Date.now()) + 2000
    const repeat = memory.bodies.has(d.text)
    memory.bodies.add(d.text)
    if (d.kind === 'tag_push' && /^0+$/.test(String(d.doc['after']))) memory.sawTagDeletion = true
    this.queue.push(d.doc)
    void this.work()
    if (verdict.waits) await sleep(verdict.waits)
    if (verdict.hangsUp) {
      req.socket.destroy()
      return
    }
    if (verdict.neverEnds) {
      res.writeHead(200, { 'Content-Type': 'text/plain' })
      res.write('taken')
      return
    }
    if (verdict.status) {
      if (verdict.location) res.setHeader('Location', verdict.location)
      return this.answer(res, verdict.status, 'no')
    }
    await this.acknowledge(res, d, repeat)
  }

  private matches(given: string | undefined): boolean {
    const digest = (s: string) => createHash('sha256').update(s).digest()
    return given !== undefined && timingSafeEqual(digest(given), digest(this.secret))
  }

  /** What is wrong with the form of a delivery, under the switches. */
  private formal({ headers, kind }: Delivery): [number, string] | undefined {
    const { on, events } = this
    const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    if (on('media-type-checked') && type !== 'application/json') return [415, 'JSON only']
    const name = headers['x-hook-event']
    if (on('event-header-required') && !name) return [400, 'X-Hook-Event is missing']
    if (on('agent-required') && !headers['user-agent']) return [400, 'User-Agent is missing']
    if (on('event-header-must-match') && headerNames[kind] && name !== headerNames[kind]) {
      return [400, 'X-Hook-Event does not fit']
    }
    if (on('unknown-kinds-refused') && !headerNames[kind]) return [422, 'unknown kind']
    if (events.includes(kind) || on('only-issues-others-ignored')) return undefined
    if (on('only-pushes')) return [422, 'not wanted']
    return on('only-pipelines-and-jobs') ? [404, 'not wanted'] : undefined
  }

  private async mismatch(res: ServerResponse, given: string | undefined): Promise<void> {
    const { on } = this
    if (on('mismatch-slow')) await sleep(1000)
    if (on('drop-mismatches')) return this.answer(res, 200, 'queued')
    if (on('drop-mismatches-204')) return this.answer(res, 204, '')
    if (on('missing-400') && given === undefined) return this.answer(res, 400, 'token is missing')
    if (on('mismatch-challenge')) res.setHeader('WWW-Authenticate', 'HookToken')
    const status = [403, 404, 400].find((s) => on(`mismatch-${s}`)) ?? 401
    this.answer(res, status, 'wrong token')
  }

  private async acknowledge(res: ServerResponse, d: Delivery, repeat = false): Promise<void> {
    const { on } = this
    if (on('takes-a-second')) await sleep(1000)
    if (on('takes-four-seconds')) await sleep(4000)
    let status = [201, 202, 204, 299].find((s) => on(`status-${s}`)) ?? 200
    if (on('repeats-208') && repeat) status = 208
    if (status === 201) res.setHeader('Location', '/jobs/' + randomUUID())
    if (on('body-text')) this.answer(res, status, 'OK\n', 'text/plain')
    else if (on('body-html')) this.answer(res, status, '<!doctype html><p>Thanks', 'text/html')
    else if (on('body-none')) this.answer(res, status, '')
    else if (on('body-echo')) this.answer(res, status, d.text, 'application/json')
    else this.answer(res, status, 'queued')
  }

  private answer(res: ServerResponse, status: number, message: string, type?: string): void {
    const { on } = this
    res.statusCode = status
    if (on('closes-connections')) res.setHeader('Connection', 'close')
    if (on('more-headers')) {
      res.setHeader('Set-Cookie', ['id=1; HttpOnly', 'lb=b7'])
      res.setHeader('X-Request-Id', randomUUID())
      res.setHeader('Content-Security-Policy', "default-src 'none'")
    }
    if (status === 204 || message === '') {
      res.end()
      return
    }
    res.setHeader('Content-Type', type ?? 'application/json')
    const body = Buffer.from(type ? message : JSON.stringify({ status: message }))
    if (on('body-chunked')) res.write(body.subarray(0, 3))
    else res.setHeader('Content-Length', body.length)
    res.end(on('body-chunked') ? body.subarray(3) : body)
  }

  /** Does the work later, away from the answers. */
  private async work(): Promise<void> {
    if (this.working) return
    this.working = true
    while (this.queue.length > 0) {
      await sleep(20)
      this.queue.shift()
    }
    this.working = false
  }
}

export async function startServer(
  on: readonly string[],
): Promise<Connection & { close(): Promise<void> }> {
  const known = new Set(switches.map((s) => s.name))
  for (const name of on) if (!known.has(name)) throw new Error(`unknown switch: ${name}`)
  const active = new Set(on)
  const has = (name: string) => active.has(name)
  let path = '/in/repository-events'
  if (has('url-with-query')) path = '/in?source=repo&key=a%26b'
  if (has('url-escaped')) path = '/in/caf%C3%A9%2Fevents'
  if (has('url-at-root')) path = '/'
  let secret = 'Rc-' + randomBytes(15).toString('base64url')
  if (has('secret-long')) secret = randomBytes(100).toString('hex')
  if (has('secret-odd')) secret = `a b,c;"d" 100%25 ='${randomBytes(3).toString('hex')}`
  if (has('secret-short')) secret = 'k7Q' + String(randomBytes(1)[0]! % 10)
  let events: string[] = [...kinds]
  if (has('only-pushes')) events = ['push', 'tag_push']
  if (has('only-pipelines-and-jobs')) events = ['pipeline', 'build']
  if (has('only-issues-others-ignored')) events = ['issue', 'merge_request']
  const receiver = new Receiver(has, path, secret, events)
  const server = http.createServer((req, res) => {
    receiver.handle(req, res).catch(() => res.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const drops = has('drop-mismatches') || has('drop-mismatches-204')
  return {
    url: `http://127.0.0.1:${port}${path}`,
    secret,
    onMismatch: drops ? 'drop' : 'refuse',
    events,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
