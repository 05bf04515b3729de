import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Guard, type Verdict } from './auth.ts'
import type { Dispatch } from './dispatch.ts'
import { FieldReader, parseFields } from './hook-fields.ts'
import { Random } from './random.ts'
import { readBody, refuse, Refusal, respond } from './respond.ts'
import { flagNames, type Flag, type Hook, type Obj } from './types.ts'
import type { Project } from './world.ts'

export const prefix = (on: (name: string) => boolean) =>
  on('path-version-3') ? '/api/v3' : '/api/v4'

export class Api {
  private guard: Guard
  private fields: FieldReader
  private made = 0
  private ids: Random
  private lastId: number
  private recent: number[] = []
  private readonly on: (name: string) => boolean

  readonly events: Dispatch
  constructor(events: Dispatch) {
    this.events = events

    this.on = events.on
    this.guard = new Guard(events.accessToken, this.on)
    this.fields = new FieldReader(this.on)
    this.ids = new Random(events.world.seed + ':hooks')
    this.lastId = this.ids.int(20, 900)
  }

  async handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    try {
      await this.route(req, res, path)
    } catch (e) {
      refuse(req, res, this.on, e instanceof Refusal ? e : new Refusal(500, '500 Internal Error'))
      if (!(e instanceof Refusal)) console.error(e)
    }
  }

  private async route(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const { on } = this
    const raw = await readBody(req)
    if (on('api-cors') && req.method === 'OPTIONS') {
      respond(req, res, on, 204, undefined, { 'Access-Control-Allow-Headers': 'PRIVATE-TOKEN' })
      return
    }
    this.limit()
    const parts = path.split('/').slice(1).map(decode)
    if (parts[0] !== 'projects' || parts[2] !== 'hooks') throw new Refusal(404, '404 Not Found')
    const p = this.events.world.project(parts[1])
    const verdict = this.guard.judge(req, p === this.events.world.projects[1])
    if (parts.length === 3) {
      if (req.method === 'POST') await this.create(req, res, raw, parts[1]!, p, verdict)
      else if (on('more-endpoints') && req.method === 'GET') {
        this.admit(verdict)
        respond(
          req,
          res,
          on,
          200,
          this.own(p).map((h) => this.record(h)),
        )
      } else throw new Refusal(405, '405 Method Not Allowed', { Allow: 'POST' })
      return
    }
    if (parts.length === 6 && parts[4] === 'test') {
      if (req.method !== 'POST') throw new Refusal(405, '405 Not Allowed', { Allow: 'POST' })
      await this.test(req, res, p, parts[3]!, parts[5]!, verdict)
      return
    }
    this.admit(verdict)
    if (parts.length === 4 && on('more-endpoints')) this.change(req, res, raw, p, parts[3]!)
    else throw new Refusal(404, '404 Not Found')
  }

  private limit(): void {
    if (!this.on('rate-limit')) return
    const now = Date.now()
    this.recent = this.recent.filter((t) => now - t < 2000)
    if (this.recent.length >= 25) throw new Refusal(429, 'Retry later', { 'Retry-After': '2' })
    this.recent.push(now)
  }

  private admit(verdict: Verdict): void {
    if (verdict === 'ok') return
    const { on } = this
    if (on('unauthorized-404')) throw new Refusal(404, '404 Not Found')
    if (on('unauthorized-403') && verdict === 'wrong') throw new Refusal(403, '403 Forbidden')
    throw new Refusal(
      401,
      '401 Unauthorized',
      on('unauthorized-challenge') ? { 'WWW-Authenticate': 'PrivateToken realm="api"' } : {},
    )
  }

  private own(p: Project | undefined): Hook[] {
    return this.events.hooks.filter((h) => h.project === p?.id)
  }

  private async create(
    req: IncomingMessage,
    res: ServerResponse,
    raw: Buffer,
    id: string,
    p: Project | undefined,
    verdict: Verdict,
  ): Promise<void> {
    const { on } = this
    const pass =
      (verdict === 'missing' && on('auth-none-creates')) ||
      (verdict !== 'ok' && on('auth-wrong-creates') && verdict === 'wrong')
    if (verdict !== 'ok' && !pass) {
      if (on('auth-refused-but-created') && p) this.add(p.id, parseFields(req, raw, on))
      this.admit(verdict)
    }
    if (!p && !on('create-unknown-project')) throw new Refusal(404, '404 Project Not Found')
    const body = parseFields(req, raw, on)
    if (p && on('hook-limit') && this.own(p).length >= 60) {
      throw new Refusal(422, 'Too many hooks')
    }
    let hook: Hook
    try {
      hook = this.add(p?.id ?? Number(id), body)
    } catch (e) {
      if (e instanceof Refusal && on('bad-flag-refused-but-created') && p) {
        for (const f of flagNames) if (typeof body[f] !== 'boolean') body[f] = true
        this.add(p.id, body)
      }
      throw e
    }
    if (on('create-500-but-created') && (hook.token?.length ?? 0) > 40) {
      throw new Refusal(500, '500 Internal Server Error')
    }
    const status = on('create-status-200') ? 200 : on('create-status-202') ? 202 : 201
    const place = `${prefix(on)}/projects/${id}/hooks/${hook.id}`
    respond(
      req,
      res,
      on,
      status,
      this.record(hook),
      on('create-location') ? { Location: place } : {},
    )
  }

  private nextId(project: number): number | string {
    const { on } = this
    if (on('hook-id-uuid')) return randomUUID()
    if (on('hook-id-large')) return this.ids.int(1e9, 9e14)
    if (on('hook-id-per-project')) {
      return this.events.hooks.filter((h) => h.project === project).length + 1
    }
    if (on('create-shares-id') && this.made % 2 === 0) return this.lastId
    this.lastId += 1 + this.ids.int(0, 2)
    return this.lastId
  }

  private add(project: number, body: Obj): Hook {
    const { on } = this
    const fields = this.fields.read(body)
    this.made += 1
    const hook: Hook = {
      id: this.nextId(project),
      project,
      ...fields,
      createdAt: Date.now(),
      delivered: 0,
      tested: false,
    }
    const lost =
      (on('create-every-third-lost') && this.made % 3 === 0) ||
      (on('create-second-project-lost') && project === this.events.world.projects[1]!.id)
    const { hooks } = this.events
    if (on('create-replaces')) {
      const kept = hooks.filter((h) => h.project !== project)
      hooks.splice(0, hooks.length, ...kept)
    }
    if (!lost) hooks.push(hook)
    return hook
  }

  private record(h: Hook): Obj {
    const { on } = this
    if (on('create-brief-record')) return { id: h.id }
    const record: Obj = {
      id: h.id,
      url: h.url,
      project_id: h.project,
      created_at: new Date(h.createdAt).toISOString(),
      ...h.flags,
      enable_ssl_verification: h.ssl,
    }
    if (on('create-masks-token')) record['token'] = h.token === null ? null : '********'
    if (on('create-more-fields')) {
      Object.assign(record, {
        name: null,
        alert_status: 'executable',
        disabled_until: null,
        custom_headers: [],
        push_events_branch_filter: '',
        note_events: false,
        _links: { self: null },
      })
    }
    return record
  }

  private find(p: Project | undefined, id: string): Hook | undefined {
    return this.events.hooks.find((h) => h.project === p?.id && String(h.id) === id)
  }

  private async test(
    req: IncomingMessage,
    res: ServerResponse,
    p: Project | undefined,
    id: string,
    event: string,
    verdict: Verdict,
  ): Promise<void> {
    const { on, events } = this
    let flag = flagNames.find((f) => f === event)
    if (!flag && on('test-plural-too')) flag = flagNames.find((f) => f === event + '_events')
    let hook = this.find(p, id)
    const anywhere = events.hooks.find((h) => String(h.id) === id)
    if (on('test-confused-by-body') && req.headers['content-type'] === undefined) {
      throw new Refusal(411, '411 Length Required')
    }
    const pass =
      (verdict === 'missing' && on('auth-none-tests')) ||
      (verdict === 'wrong' && on('auth-wrong-tests'))
    if (verdict !== 'ok' && !pass) {
      if (on('auth-refused-but-tested') && hook && flag) await events.test(hook, flag)
      this.admit(verdict)
    }
    if (!hook && p && on('test-other-project')) hook = anywhere
    if (!hook) {
      if (on('test-other-project-refused-but-sent') && p && anywhere && flag) {
        await events.test(anywhere, flag)
      }
      throw new Refusal(404, '404 Not Found')
    }
    if (!flag) {
      if (on('test-unknown-event-refused-but-sent')) await events.test(hook, 'push_events')
      throw new Refusal(400, 'trigger does not have a valid value')
    }
    if (on('test-push-only') && flag !== 'push_events') throw new Refusal(400, 'not testable')
    await this.runTest(req, res, hook, flag)
  }

  private async runTest(
    req: IncomingMessage,
    res: ServerResponse,
    hook: Hook,
    flag: Flag,
  ): Promise<void> {
    const { on, events } = this
    if (on('test-status-202-later')) {
      setTimeout(() => {
        void events.test(hook, flag)
      }, 1000)
      respond(req, res, on, 202, { message: '202 Accepted' })
      return
    }
    const { status, body, error } = await events.test(hook, flag)
    const fine = status >= 200 && status < 300
    if (!fine && !on('test-ignores-answer')) {
      throw new Refusal(on('test-failure-502') ? 502 : 422, error ?? `Receiver answered ${status}`)
    }
    if (on('test-tells-answer')) {
      respond(req, res, on, 201, { message: '201 Created', http_status: status, body })
    } else if (on('test-status-204')) respond(req, res, on, 204, undefined)
    else if (on('test-status-200')) respond(req, res, on, 200, { message: '200 OK' })
    else respond(req, res, on, 201, { message: '201 Created' })
  }

  /** The other usual calls, for a switch. */
  private change(
    req: IncomingMessage,
    res: ServerResponse,
    raw: Buffer,
    p: Project | undefined,
    id: string,
  ): void {
    const { on } = this
    const hook = this.find(p, id)
    if (!hook) throw new Refusal(404, '404 Not Found')
    if (req.method === 'DELETE') {
      this.events.hooks.splice(this.events.hooks.indexOf(hook), 1)
      respond(req, res, on, 204, undefined)
      return
    }
    if (req.method === 'PUT') {
      const body = {
        url: hook.url,
        token: hook.token,
        ...hook.flags,
        enable_ssl_verification: hook.ssl,
        ...parseFields(req, raw, on),
      }
      Object.assign(hook, this.fields.read(body))
    } else if (req.method !== 'GET') throw new Refusal(405, '405 Method Not Allowed')
    respond(req, res, on, 200, this.record(hook))
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Refusal(400, '400 Bad request')
  }
}
