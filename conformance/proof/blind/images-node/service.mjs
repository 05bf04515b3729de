// The four hosts of the service and the way from a request to its operation.
import { createServer } from 'node:http'
import { randomBytes } from 'node:crypto'
import { Fail, MAX_FILE, sendFail, sendSuccess } from './wire.mjs'
import { makeAccount } from './store.mjs'
import * as images from './images.mjs'
import * as variants from './variants.mjs'
import { complete, issue } from './tickets.mjs'
import { deliver } from './delivery.mjs'

const ROOT = '/client/v4'
const DUMMY = 'http://host.invalid'

/** Finds the operation of a method and a path below the account (or below the batch host). */
function route(s, method, segments, door) {
  let [top, version, name, sub, ...more] = segments
  if (top !== 'images' || more.length) return undefined
  if (s.on('versions-interchangeable') && /^v[12]$/.test(version))
    version = name === undefined && method === 'GET' ? 'v2' : name === 'direct_upload' ? 'v2' : 'v1'
  const api = door === 'api'
  if (version === 'v2') {
    if (name === undefined && method === 'GET') return { op: 'list' }
    if (api && name === 'direct_upload' && sub === undefined && method === 'POST')
      return { op: 'ticket' }
    return undefined
  }
  if (version !== 'v1') return undefined
  if (name === undefined) return method === 'POST' ? { op: 'upload' } : undefined
  if (api && name === 'variants') {
    if (sub === undefined)
      return { POST: { op: 'variant-create' }, GET: { op: 'variant-list' } }[method]
    return {
      GET: { op: 'variant-read', id: sub },
      PATCH: { op: 'variant-update', id: sub },
      DELETE: { op: 'variant-delete', id: sub },
    }[method]
  }
  if (sub !== undefined || name === '') return undefined
  if (api && name === 'config' && method === 'PATCH') return { op: 'config' }
  if (method === 'DELETE') return { op: 'image-delete', id: name }
  if (api && method === 'GET') return { op: 'details', id: name }
  return undefined
}

function presentedToken(s, req, url) {
  if (s.on('token-in-query-accepted') && url.searchParams.has('token'))
    return url.searchParams.get('token')
  const header = req.headers.authorization ?? ''
  const found = /^([A-Za-z]+) +(\S+)$/.exec(header.trim())
  if (!found) return s.on('bare-token-accepted') ? header : ''
  const [, scheme, token] = found
  if (s.on('any-auth-scheme-accepted')) return token
  if (s.on('scheme-case-matters')) return scheme === 'Bearer' ? token : ''
  return scheme.toLowerCase() === 'bearer' ? token : ''
}

function lookUpToken(s, text, door) {
  let known = s.tokens.get(text)
  if (!known && s.on('token-beginning-is-enough')) {
    for (const [token, facts] of s.tokens)
      if (text.startsWith(token) || (text.length >= 8 && token.startsWith(text))) known = facts
  }
  if (!known && s.on('token-any-case'))
    for (const [token, facts] of s.tokens)
      if (token.toLowerCase() === text.toLowerCase()) known = facts
  if (known && known.kind !== door) {
    const crosses = door === 'batch' ? s.on('batch-takes-api-token') : s.on('api-takes-batch-token')
    if (!crosses) known = undefined
  }
  return known
}

// Which switch lets a token without the permission do an operation.
const LIMITED_MAY = {
  list: 'limited-token-lists',
  details: 'limited-token-reads',
  'image-delete': 'limited-token-deletes',
  ticket: 'limited-token-gets-tickets',
  'variant-list': 'limited-token-reads-variants',
  'variant-read': 'limited-token-reads-variants',
  'variant-update': 'limited-token-updates-variants',
  config: 'limited-token-configures',
  upload: 'limited-token-uploads',
}
const FOREIGN_MAY = {
  details: 'foreign-token-reads',
  'image-delete': 'foreign-token-deletes',
  list: 'foreign-token-lists',
  'variant-create': 'foreign-token-creates-variants',
  config: 'foreign-token-configures',
}

/** Says whose account the request may act on. */
function authorize(s, req, url, door, accountId, meta) {
  const known = lookUpToken(s, presentedToken(s, req, url), door)
  const named = s.accounts.find((a) => a.id === accountId)
  if (!known) {
    if (meta.op === 'variant-list' && named && s.on('variant-list-without-token')) return named
    if (meta.op === 'list' && door === 'batch' && s.on('batch-list-without-token'))
      return s.accounts[0]
    if (
      meta.op === 'details' &&
      named &&
      !named.images.has(meta.id) &&
      s.on('unknown-image-404-before-401')
    )
      throw new Fail(404, 'no such image')
    if (meta.op === 'image-delete' && named && s.on('refused-delete-still-deletes'))
      named.images.delete(meta.id)
    throw new Fail(401, 'invalid or missing API token')
  }
  if (known.limited && !(LIMITED_MAY[meta.op] && s.on(LIMITED_MAY[meta.op]))) {
    const fail = new Fail(403, 'the token has no permission for images')
    fail.limited = true
    throw fail
  }
  if (door === 'batch') return known.account
  if (named === known.account) return named
  if (named && FOREIGN_MAY[meta.op] && s.on(FOREIGN_MAY[meta.op])) return named
  if (s.on('foreign-account-404')) throw new Fail(404, 'no such account')
  throw new Fail(403, 'the token is not for this account')
}

function split(s, path) {
  let segments = path.split('/').slice(1)
  if (s.on('trailing-slash-ignored') && segments.at(-1) === '') segments.pop()
  try {
    segments = segments.map(decodeURIComponent)
  } catch {
    if (s.on('bad-escape-500')) throw new Error('bad escape')
    throw new Fail(400, 'the path is not well-formed')
  }
  return segments
}

function run(s, account, req, url, meta) {
  switch (meta.op) {
    case 'upload':
      return images.upload(s, account, req, meta)
    case 'list':
      return images.list(s, account, url.searchParams, meta.door)
    case 'details':
      return images.details(s, account, meta.id)
    case 'image-delete':
      return images.remove(s, account, meta.id, meta)
    case 'ticket':
      return issue(s, account, req)
    case 'variant-create':
      return variants.create(s, account, req)
    case 'variant-list':
      return variants.listAll(s, account)
    case 'variant-read':
      return variants.read(s, account, meta.id)
    case 'variant-update':
      return variants.update(s, account, req, meta.id)
    case 'variant-delete':
      return variants.remove(s, account, meta.id)
    default:
      return variants.configure(s, account, req)
  }
}

async function operate(s, req, url, res, door) {
  const meta = { door }
  try {
    let { pathname } = url
    const noRoute = () => Object.assign(new Fail(404, 'no such resource'), { noRoute: true })
    if (door === 'api') {
      if (!pathname.startsWith(`${ROOT}/`)) throw noRoute()
      pathname = pathname.slice(ROOT.length)
    }
    let segments = split(s, pathname)
    let accountId
    if (door === 'api') {
      if (segments[0] === 'accounts') accountId = segments[1]
      segments = segments[0] === 'accounts' ? segments.slice(2) : []
    }
    const found = route(s, req.method, segments, door)
    if (!found && s.on('unknown-path-404-before-token')) throw noRoute()
    Object.assign(meta, found)
    const account = authorize(s, req, url, door, accountId, meta)
    if (!found) throw noRoute()
    sendSuccess(s, res, await run(s, account, req, url, meta), meta)
  } catch (err) {
    if (!(err instanceof Fail) && !s.quiet) console.error(err)
    sendFail(s, res, err, meta)
  }
}

async function receive(s, req, url, res) {
  const meta = { door: 'upload', op: 'complete' }
  try {
    sendSuccess(s, res, await complete(s, req, url), meta)
  } catch (err) {
    if (!(err instanceof Fail) && !s.quiet) console.error(err)
    sendFail(s, res, err, meta)
  }
}

/** Starts the service; `on` says which switches are on. */
export async function start(on, quiet = false) {
  const s = {
    on,
    quiet,
    accounts: [],
    tokens: new Map(),
    tickets: new Map(),
    rendered: new Map(),
    urls: {},
    newId: () => randomBytes(8).toString('hex'),
  }
  const [mine, other] = ['first account', 'second account'].map((name) => makeAccount(s, name))
  s.accounts.push(mine, other)
  const token = (facts) => {
    const text = `Tk${randomBytes(20).toString('hex')}Zz`
    s.tokens.set(text, facts)
    return text
  }
  const hosts = {
    api: (req, url, res) => operate(s, req, url, res, 'api'),
    batch: (req, url, res) => operate(s, req, url, res, 'batch'),
    upload: (req, url, res) => receive(s, req, url, res),
    delivery: (req, url, res) => deliver(s, req, url, res),
  }
  const servers = []
  for (const [name, handle] of Object.entries(hosts)) {
    const server = createServer((req, res) => {
      let url
      try {
        url = new URL(DUMMY + (req.url.startsWith('/') ? req.url : '/'))
      } catch {
        url = new URL(DUMMY)
      }
      handle(req, url, res)
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    s.urls[name] = `http://127.0.0.1:${server.address().port}`
    servers.push(server)
  }
  const facts = {
    baseUrl: s.urls.api + ROOT,
    account: mine.id,
    token: token({ kind: 'api', account: mine }),
    limitedToken: token({ kind: 'api', account: mine, limited: true }),
    otherAccount: { account: other.id, token: token({ kind: 'api', account: other }) },
    batchUrl: s.urls.batch,
    batchToken: token({ kind: 'batch', account: mine }),
    deliveryUrl: s.urls.delivery,
    maxFileBytes: MAX_FILE,
  }
  const close = () => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
  return { facts, close }
}
