// Sends the deliveries of events to the hooks that want them.
import { createHmac, randomUUID } from 'node:crypto'
import { on, run } from './registry.mjs'
import { post } from './post.mjs'
import { render } from './render.mjs'

const sleep = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })

export class Sender {
  constructor(store, first, second, accessToken) {
    Object.assign(this, { store, first, second, accessToken })
    this.current = null
    this.lastEvent = new Map()
    this.queue = Promise.resolve()
  }

  /** An event happened in a project. */
  async fire(project, event) {
    if (on('deliveries-after-a-pause')) await sleep(300)
    if (on('close-events-merged')) {
      this.lastEvent.set(project, event)
      await sleep(60)
      if (this.lastEvent.get(project) !== event) return
    }
    if (on('current-project-is-global')) {
      this.current = project
      await sleep(30)
      if (event.payload.project) event.payload.project = this.current.plainProject()
    }
    const own = this.store.of(project)
    const others = this.store.hooks.filter((h) => h.project !== project)
    const context = { event, project, own, sender: this }
    let targets = own.filter((hook, index) =>
      run('gate', hook.config[event.flag], {
        ...context,
        hook,
        index,
        config: hook.config,
        action: event.action,
      }),
    )
    targets = run('targets', targets, { ...context, others })
    if (on('deliveries-one-after-another')) {
      this.queue = this.queue.then(() => this.inTurn(targets, event))
    } else if (on('unreachable-hook-stops-the-rest')) {
      this.inTurn(targets, event, true)
    } else {
      for (const hook of targets) this.deliver(hook, event)
    }
    project.last.set(event.event, structuredClone(event.payload))
  }

  async inTurn(targets, event, stop = false) {
    for (const hook of targets) {
      const result = await this.deliver(hook, event)
      if (stop && result.error) return
    }
  }

  /** One delivery to one hook; gives the result of the last attempt. */
  async deliver(hook, event, { test = false } = {}) {
    const { project } = hook
    hook.sent += 1
    const own = this.store.of(project)
    const c = {
      hook,
      project,
      test,
      own,
      config: hook.config,
      event: event.event,
      flag: event.flag,
      action: event.action,
      title: event.title,
      index: own.indexOf(hook),
      nth: hook.sent,
      sender: this,
      id: randomUUID(),
      attempt: 1,
      last: project.last.get(event.event),
      first: this.first,
      second: this.second,
    }
    const payload = run('payload', structuredClone(event.payload), c)
    c.payload = payload
    const body = Buffer.from(run('body', render(payload), c))
    let result = {}
    hook.pending += 1
    for (c.attempt = 1; c.attempt <= 3; c.attempt += 1) {
      const request = {
        url: hook.config.url,
        method: 'POST',
        verify: hook.config.enable_ssl_verification,
        body,
        headers: run('headers', headersOf(c, body), c),
      }
      result = await post(run('request', request, c), c)
      this.remember(hook, c, result)
      if (!run('again', again(result), { ...c, result })) break
      await sleep(120)
    }
    hook.pending -= 1
    return result
  }

  remember(hook, c, result) {
    hook.recent.unshift({ id: c.id, event: c.title, at: new Date().toISOString(), ...result })
    hook.recent.length = Math.min(hook.recent.length, 50)
    run('after', null, { ...c, result })
  }
}

function again(result) {
  if (on('server-errors-retried') && result.status >= 500) return true
  return on('connection-failures-retried') && Boolean(result.error)
}

function headersOf(c, body) {
  let type = 'application/json'
  if (on('delivery-type-with-charset')) type = 'application/json; charset=utf-8'
  let agent = 'Repository-Hooks/4.2.1'
  if (on('user-agent-with-prerelease')) agent = 'GitHost/17.2.0-pre'
  const headers = { 'Content-Type': type, 'User-Agent': agent, 'X-Hook-Event': c.title }
  const { token } = c.config
  if (token) headers['X-Hook-Token'] = token
  if (on('delivery-ids-in-headers')) {
    Object.assign(headers, {
      'X-Hook-UUID': randomUUID(),
      'X-Hook-Delivery': c.id,
      'X-Hook-Instance': 'https://x.test',
    })
  }
  if (on('idempotency-key-sent')) headers['Idempotency-Key'] = c.id
  if (on('body-signature-sent')) {
    const mac = createHmac('sha256', token || '')
      .update(body)
      .digest('hex')
    headers['X-Hook-Signature'] = `sha256=${mac}`
  }
  if (on('accept-header-sent')) headers.Accept = '*/*'
  return headers
}
