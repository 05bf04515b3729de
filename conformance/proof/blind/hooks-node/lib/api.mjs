// The hook configuration API.
import { on, run } from './registry.mjs'
import { Refusal, configOf, fieldsOf, readBody } from './body.mjs'
import { record } from './store.mjs'
import { sample } from './events.mjs'

export function apiHandler(env) {
  const state = { lock: 0, trusted: new WeakSet() }
  return async (req, res) => {
    try {
      await handle(req, res, env, state)
    } catch (error) {
      refuse(res, error instanceof Refusal ? error : new Refusal(500, 'internal error'))
      if (!(error instanceof Refusal)) process.stderr.write(`${error.stack}\n`)
    }
  }
}

function reply(res, status, value, headers = {}) {
  const all = on('rate-limit-headers')
    ? { 'RateLimit-Limit': 600, 'RateLimit-Remaining': 599, ...headers }
    : headers
  if (value === undefined) {
    res.writeHead(status, all)
    res.end()
    return
  }
  const type = on('api-json-with-charset') ? 'application/json; charset=utf-8' : 'application/json'
  res.writeHead(status, { 'Content-Type': type, ...all })
  res.end(JSON.stringify(value))
}

function refuse(res, { status, message, headers }) {
  if (on('errors-plain-text')) {
    res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers })
    res.end(`${message}\n`)
  } else if (on('errors-as-problem-details')) {
    res.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers })
    res.end(JSON.stringify({ type: 'about:blank', title: message, status }))
  } else if (on('error-html-declared-as-json')) {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    res.end(`<html><body><h1>${status}</h1>${message}</body></html>`)
  } else {
    reply(res, status, { message }, headers)
  }
}

function tokenOf(req, url) {
  let given = req.headers['private-token']
  if (on('header-name-case-sensitive')) {
    const at = req.rawHeaders.findIndex(
      (h, i) => i % 2 === 0 && ['PRIVATE-TOKEN', 'private-token'].includes(h),
    )
    given = at < 0 ? undefined : req.rawHeaders[at + 1]
  }
  if (given === undefined && on('bearer-token-accepted')) {
    given = /^Bearer (.+)$/i.exec(req.headers.authorization || '')?.[1]
  }
  if (given === undefined && on('token-in-query-accepted'))
    given = url.searchParams.get('private_token') ?? undefined
  return given
}

function authorised(req, url, place, env, state) {
  const given = tokenOf(req, url)
  let ok = given === env.token
  if (on('locked-after-a-wrong-token')) {
    if (!ok && given) state.lock = 1
    else if (ok && state.lock) {
      state.lock = 0
      ok = false
    }
  }
  if (on('connection-trusted-after-first-call')) {
    if (ok) state.trusted.add(req.socket)
    ok = ok || state.trusted.has(req.socket)
  }
  return run('auth', ok, { given, token: env.token, place, project: place.project, env })
}

function placeOf(req, env) {
  const url = new URL(req.url, 'http://127.0.0.1')
  let path = url.pathname
  if (on('trailing-slash-accepted')) path = path.replace(/\/$/, '')
  if (!path.startsWith(`${env.prefix}/projects/`)) throw new Refusal(404, 'not found')
  const found = /^([^/]+)\/hooks(?:\/([^/]+)(?:\/(test)\/([^/]+)|\/(events))?)?$/.exec(
    path.slice(env.prefix.length + 10),
  )
  if (!found) throw new Refusal(404, 'not found')
  const [, projectName, hookId, test, event, recent] = found
  let what = 'list'
  if (hookId) what = 'one'
  if (test) what = 'test'
  if (recent) what = 'recent'
  return {
    url,
    projectName,
    hookId,
    event,
    what,
    method: req.method === 'HEAD' ? 'GET' : req.method,
  }
}

function projectOf(name, env) {
  const byId = /^\d+$/.test(name) && env.projects.get(Number(name))
  if (byId || !on('project-by-path')) return byId || undefined
  return [...env.projects.values()].find((p) => encodeURIComponent(p.path) === name)
}

async function handle(req, res, env, state) {
  const place = placeOf(req, env)
  place.project = projectOf(place.projectName, env)
  const body = await readBody(req)
  if (!authorised(req, place.url, place, env, state)) {
    actAnyway(place, req, body, env)
    if (on('no-token-is-403')) throw new Refusal(403, 'forbidden')
    const challenge = on('refusal-401-without-challenge')
      ? {}
      : { 'WWW-Authenticate': 'PrivateToken realm="api"' }
    throw new Refusal(401, '401 Unauthorized', challenge)
  }
  if (!place.project)
    throw new Refusal(on('unknown-project-is-403') ? 403 : 404, '404 Project Not Found')
  const make = place.method === 'POST'
  if (place.what === 'list' && make) return create(req, res, place, body, env)
  if (place.what === 'test') return test(req, res, place, body, env)
  if (on('no-management-calls')) throw notAllowed(place.what === 'list' ? 'POST' : '')
  return manage(req, res, place, body, env)
}

function notAllowed(methods) {
  if (!methods) return new Refusal(404, '404 Not Found')
  return new Refusal(
    405,
    '405 Not Allowed',
    on('refusal-405-without-allow') ? {} : { Allow: methods },
  )
}

/** The bug of refusals that act. */
function actAnyway(place, req, body, env) {
  if (!place.project || place.method !== 'POST') return
  if (place.what === 'list' && on('refused-creation-still-creates')) {
    env.store.add(place.project, configOf(fieldsOf(req, place.url, body), place.project))
  }
  if (place.what === 'test' && on('refused-test-still-delivers')) {
    const hook = env.store.find(place.project, place.hookId)
    const event = sample(place.project, place.event)
    if (hook && event) env.sender.deliver(hook, event, { test: true })
  }
}

function create(req, res, place, body, env) {
  const config = configOf(fieldsOf(req, place.url, body), place.project)
  const hook = env.store.add(place.project, config)
  const path = `${env.prefix}/projects/${place.project.id}/hooks/${hook.id}`
  const headers = on('creation-sends-location') ? { Location: path } : {}
  reply(res, on('creation-answers-200') ? 200 : 201, record(hook), headers)
}

async function test(req, res, place, body, env) {
  const getActs = on('get-of-test-delivers') && place.method === 'GET'
  if (place.method !== 'POST' && !getActs) throw notAllowed('POST')
  if (on('test-without-body-refused') && body.length === 0)
    throw new Refusal(400, 'a body is required')
  let hook = env.store.find(place.project, place.hookId)
  if (!hook && on('test-finds-hooks-of-other-projects')) {
    hook = env.store.hooks.find((h) => String(h.id) === place.hookId)
  }
  if (!hook && on('test-of-unknown-hook-succeeds'))
    return reply(res, 201, { message: '201 Created' })
  if (!hook) throw new Refusal(404, '404 Not Found')
  const event = sample(hook.project, place.event)
  if (!event || (on('test-knows-push-only') && place.event !== 'push_events')) {
    throw new Refusal(
      on('unknown-test-event-422') ? 422 : 400,
      'trigger does not have a valid value',
    )
  }
  if (on('test-refuses-disabled-flag') && !hook.config[place.event])
    throw new Refusal(422, 'event not enabled')
  const result = testDeliveries(hook, event, env)
  const status = ['200', '202', '204'].find((s) => on(`test-answers-${s}`)) || '201'
  if (!on('test-answers-before-delivery')) {
    const [first] = await result
    const failed = first && (first.error || first.status >= 400)
    if (failed && on('failed-test-422'))
      throw new Refusal(422, `Hook execution failed: ${first.error || first.status}`)
  }
  return reply(res, Number(status), status === '204' ? undefined : { message: '201 Created' })
}

function testDeliveries(hook, event, env) {
  hook.tests += 1
  let targets = [hook]
  const own = env.store.of(hook.project)
  if (on('test-sends-nothing')) targets = []
  if (on('second-test-sends-nothing') && hook.tests > 1) targets = []
  if (on('test-goes-to-first-hook')) targets = own.slice(0, 1)
  if (on('test-goes-to-all-hooks')) targets = own
  if (on('test-delivers-twice')) targets = [hook, hook]
  return Promise.all(targets.map((target) => env.sender.deliver(target, event, { test: true })))
}

/** Calls that the document does not show: list, details, update, deletion, recent deliveries. */
function manage(req, res, place, body, env) {
  const { store } = env
  if (place.what === 'list') {
    if (place.method !== 'GET') throw notAllowed('GET, HEAD, POST')
    return reply(
      res,
      200,
      store.of(place.project).map((h) => record(h)),
    )
  }
  const hook = store.find(place.project, place.hookId)
  if (!hook) throw new Refusal(404, '404 Not Found')
  if (place.what === 'recent') {
    if (place.method !== 'GET') throw notAllowed('GET, HEAD')
    return reply(res, 200, hook.recent)
  }
  if (place.method === 'GET') return reply(res, 200, record(hook))
  if (place.method === 'PUT') {
    const before = hook.config
    hook.config = configOf(fieldsOf(req, place.url, body), place.project, before)
    return reply(res, 200, record(hook))
  }
  if (place.method !== 'DELETE') throw notAllowed('GET, HEAD, PUT, DELETE')
  if (!on('deleted-hook-still-delivers')) store.remove(hook)
  return reply(res, 204)
}
