import { afterEach, expect, test } from 'vitest'
import { mockOf, type MockKind, type Running } from '../../../mocks/registry.ts'
import { initialize } from '../command.testing.ts'
import type { MockOptions } from './options.ts'
import { newRequestLog } from './request-log.ts'
import { servingOf } from './serving.ts'

const started: Running[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((mock) => mock.close()))
})

/** Starts a mock with a log. `line` waits for the next line. */
async function startLogged(
  name: string,
  {
    asJson = true,
    kind = 'stateful',
    options = {},
  }: { asJson?: boolean; kind?: MockKind; options?: MockOptions } = {},
) {
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  const log = newRequestLog(asJson, (line) => {
    const next = waiting.shift()
    if (next === undefined) lines.push(line)
    else next(line)
  })
  const { hosts, start } = mockOf(name)
  const ports = Object.fromEntries(hosts.map((host) => [host, 0]))
  const mock = await start({ kind, ports, serving: servingOf(name, options, { log }) })
  log.hide(Object.values(mock.tokens))
  started.push(mock)
  const line = () =>
    new Promise<string>((resolve) => {
      const next = lines.shift()
      if (next === undefined) waiting.push(resolve)
      else resolve(next)
    })
  return { urls: mock.urls, line, entry: async () => JSON.parse(await line()) as object }
}

const api = { authorization: 'Bearer images-token' }

test.each([
  ['stateful', { reason: 'There is no such image', requirement: 'IMG-GET-03' }],
  ['contract', {}],
] as const)('the %s mock of images logs each request with its status', async (kind, why) => {
  const { urls, entry } = await startLogged('images', { kind })
  await fetch(`${urls['account']}/accounts/acc-1/images/v1/none`, { headers: api })
  expect(await entry()).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    server: 'images/account',
    method: 'GET',
    path: '/client/v4/accounts/acc-1/images/v1/none',
    status: kind === 'stateful' ? 404 : 200,
    ms: expect.any(Number) as number,
    ...why,
  })
})

test('a failure is logged with its reason, even by the mocks that return examples', async () => {
  const { urls, entry } = await startLogged('images', { kind: 'contract' })
  await fetch(`${urls['account']}/accounts/acc-1/images/v2`)
  expect(await entry()).toMatchObject({
    status: 401,
    reason: 'The token is missing or not valid',
    requirement: 'IMG-AUTH-01',
  })
  const hooks = await startLogged('hooks')
  await fetch(`${hooks.urls['api']}/projects/42/hooks`, {
    method: 'POST',
    headers: { 'private-token': 'hooks-token', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await hooks.entry()).toMatchObject({
    server: 'hooks',
    status: 400,
    reason: 'url is missing',
    requirement: 'HOOK-CONFIG-01',
  })
  const identity = await startLogged('identity')
  await fetch(`${identity.urls['identity']}/authorize?client_id=unknown`)
  expect(await identity.entry()).toMatchObject({
    status: 400,
    reason: 'No server is registered with this client_id',
  })
})

test('the logged requirement of a failure depends on the operation', async () => {
  const { urls, entry } = await startLogged('images')
  const images = `${urls['account']}/accounts/acc-1/images`
  const metadata = JSON.stringify({ text: 'x'.repeat(1100) })
  const form = new FormData()
  form.append('file', new Blob(['a']), 'a.png')
  form.append('metadata', metadata)
  await fetch(`${images}/v1`, { method: 'POST', headers: api, body: form })
  await fetch(`${images}/v2/direct_upload`, {
    method: 'POST',
    headers: { ...api, 'content-type': 'application/json' },
    body: `{"metadata":${metadata}}`,
  })
  expect([await entry(), await entry()]).toMatchObject([
    { requirement: 'IMG-LIMIT-01' },
    { requirement: 'IMG-LIMIT-02' },
  ])
})

test.each(['stateful', 'contract'] as const)(
  'the %s mocks log fields that they ignore, because these may be misspelt',
  async (kind) => {
    const images = await startLogged('images', { kind })
    const hooks = await startLogged('hooks', { kind })
    const account = `${images.urls['account']}/accounts/acc-1/images`
    const json = { 'content-type': 'application/json' }
    const form = new FormData()
    form.append('file', new Blob(['a']), 'a.png')
    form.append('metadata[place]', 'harbour')
    form.append('requireSignedURL', 'true')
    await fetch(`${account}/v1`, { method: 'POST', headers: api, body: form })
    expect(await images.entry()).toMatchObject({
      ignored: 'ignored field, which is not in the contract: requireSignedURL',
    })
    const post = async (body: object) => {
      const request = { method: 'POST', body: JSON.stringify(body) }
      await fetch(`${account}/v2/direct_upload`, { ...request, headers: { ...api, ...json } })
      return images.entry()
    }
    expect(await post({ expires: 'x', Id: 'x', a: 1, b: 1, c: 1, d: 1 })).toMatchObject({
      ignored: 'ignored fields, which are not in the contract: expires, Id, a, b, c and 1 more',
    })
    expect(await post({ id: 'x', metadata: {} })).not.toHaveProperty('ignored')
    await fetch(`${account}/v2?page=1&perPage=5`, { headers: api })
    expect(await images.entry()).toMatchObject({
      ignored: 'ignored query parameter, which is not in the contract: perPage',
    })
    const options = { width: 10, height: 10, fit: 'contain', metadata: 'none', sharpen: 1 }
    await fetch(`${account}/v1/variants?dry=1`, {
      method: 'POST',
      headers: { ...api, ...json },
      body: JSON.stringify({ id: 'small', options }),
    })
    expect(await images.entry()).toMatchObject({
      ignored:
        'ignored query parameter, which is not in the contract: dry; ignored field, which is not in the contract: options.sharpen',
    })
    const create = (fields: object) =>
      fetch(`${hooks.urls['api']}/projects/42/hooks`, {
        method: 'POST',
        headers: { ...json, 'private-token': 'hooks-token' },
        body: JSON.stringify({ url: 'http://127.0.0.1:1/', ...fields }),
      })
    expect((await create({ push_event: true, 'tok\u001b': 'hush' })).status).toBe(201)
    expect(await hooks.entry()).toMatchObject({
      status: 201,
      ignored: 'ignored fields, which are not in the contract: push_event, tok�',
    })
    await create({ token: 'hush', push_events: true })
    expect(await hooks.entry()).not.toHaveProperty('ignored')
  },
)

test('the stateless mocks log the requirement of what they refuse themselves', async () => {
  const images = await startLogged('images', { kind: 'contract' })
  const account = `${images.urls['account']}/accounts`
  const list = async (path: string, token = 'images-token') => {
    await fetch(account + path, { headers: { authorization: `Bearer ${token}` } })
    return ((await images.entry()) as { requirement?: string }).requirement
  }
  expect([
    await list('/acc-1/images/v2', 'images-limited-token'),
    await list('/other/images/v2'),
    await list('/acc-1/images/v2?per_page=101000'),
  ]).toEqual(['IMG-AUTH-03', 'IMG-STATUS-05', 'IMG-LIMIT-04'])
  const hooks = await startLogged('hooks', { kind: 'contract' })
  await fetch(`${hooks.urls['api']}/projects/42/hooks`, { method: 'POST' })
  expect(await hooks.entry()).toMatchObject({ status: 401, requirement: 'HOOK-AUTH-03' })
})

test('the log contains no upload URL, signature, code or token', async () => {
  const { urls, line } = await startLogged('images')
  const { account, upload, delivery } = urls
  const ticket = await fetch(`${account}/accounts/acc-1/images/v2/direct_upload`, {
    method: 'POST',
    headers: api,
  })
  const { result } = (await ticket.json()) as { result: { uploadURL: string } }
  for (const url of [
    result.uploadURL,
    `${result.uploadURL}/more`,
    `${delivery}/hash/id/public?sig=signature&exp`,
    `${account}/images-token?page=2&a=images-token`,
  ])
    await fetch(url, { method: 'POST' })
  const lines = [await line(), await line(), await line(), await line(), await line()]
  expect(lines.map((text) => (JSON.parse(text) as { path: string }).path)).toEqual([
    '/client/v4/accounts/acc-1/images/v2/direct_upload',
    '/…',
    '/…',
    '/hash/id/public?sig=…&…',
    '/client/v4/…?page=2&a=…',
  ])
  expect(result.uploadURL.startsWith(`${upload}/`)).toBe(true)
  const secret = result.uploadURL.slice(upload!.length + 1)
  for (const hiddenText of [secret, 'signature', 'images-token'])
    expect(lines.join('')).not.toContain(hiddenText)
})

test('without JSON, a line is readable text', async () => {
  const { urls, line } = await startLogged('images', { asJson: false })
  await fetch(`${urls['batch']}/images/v2?page=1`)
  expect(await line()).toMatch(
    /^images\/batch GET \/images\/v2\?page=1 401 [\d.]+ ms \(IMG-AUTH-05: .+\)\n$/,
  )
})

test('each delivery is logged, without the secret and the query of its URL', async () => {
  const receiver = await startLogged('receiver')
  const { urls, entry } = await startLogged('hooks')
  const hookApi = `${urls['api']}/projects/42/hooks`
  const call = async (path: string, fields: Record<string, string> = {}) => {
    const response = await fetch(`${hookApi}${path}`, {
      method: 'POST',
      headers: { 'private-token': 'hooks-token' },
      body: new URLSearchParams(fields),
    })
    await response.text()
  }
  const entries = async () => [await entry(), await entry()]
  const deliveryIn = (all: object[]) => all.find((one) => 'delivery' in one)
  const to = receiver.urls['receiver']!
  for (const [url, token] of [
    [`${to}?key=hush-1`, 'receiver-secret'],
    [to, 'another-secret'],
    ['http://127.0.0.1:1/another-secret', 'another-secret'],
  ] as const) {
    await call('', { url, token })
    await entry()
  }
  await call('/1/test/push_events')
  expect(deliveryIn(await entries())).toMatchObject({
    server: 'hooks',
    delivery: 'push',
    hook: 1,
    attempt: 1,
    to: `${to}?key=…`,
    status: 200,
  })
  await call('/2/test/issues_events')
  expect(deliveryIn(await entries())).toMatchObject({
    delivery: 'issue',
    status: 401,
    reason: expect.any(String) as string,
  })
  await call('/3/test/push_events')
  expect(deliveryIn(await entries())).toMatchObject({
    to: 'http://127.0.0.1:1/…',
    status: null,
    reason: expect.stringContaining('unreachable') as string,
  })
})

test('the stateless mock logs a preference that its delivery host lacks', async () => {
  const { urls, entry } = await startLogged('images', { kind: 'contract' })
  await fetch(`${urls['delivery']}/hash/id/public`, { headers: { prefer: 'code=418' } })
  expect(await entry()).toMatchObject({
    status: 200,
    ignored: expect.stringMatching(/^Prefer is ignored: only code=400, /) as string,
  })
})

test('a received delivery is logged with its event', async () => {
  const { urls, entry } = await startLogged('receiver')
  const post = (headers: Record<string, string>) =>
    fetch(urls['receiver']!, { method: 'POST', headers, body: '{"object_kind":"push"}' })
  await post({ 'x-hook-token': 'receiver-secret', 'x-hook-event': 'Tag Push Hook' })
  await post({ 'x-hook-event': 'receiver-secret\u009b' })
  await post({})
  expect(await entry()).toMatchObject({ event: 'Tag Push Hook', status: 200 })
  expect(await entry()).toMatchObject({ event: '…�', status: 401 })
  expect(await entry()).not.toHaveProperty('event')
  const text = await startLogged('receiver', { asJson: false })
  await fetch(text.urls['receiver']!, { method: 'POST', headers: { 'x-hook-event': 'Push Hook' } })
  expect(await text.line()).toMatch(/^receiver POST \/hook Push Hook 401 [\d.]+ ms \(.+\)\n$/)
})

test('in text, a delivery is one line', async () => {
  const { urls, line } = await startLogged('hooks', { asJson: false })
  await fetch(`${urls['api']}/projects/42/hooks`, {
    method: 'POST',
    headers: { 'private-token': 'hooks-token' },
    body: new URLSearchParams({ url: 'http://127.0.0.1:1/' }),
  })
  await line()
  await fetch(new URL('/_touchstone/events', urls['api']), {
    method: 'POST',
    body: new URLSearchParams({ event: 'push' }),
  })
  const lines = [await line(), await line()]
  expect(lines.find((text) => text.includes('delivery'))).toMatch(
    /^hooks delivery of push for hook 1 to http:\/\/127\.0\.0\.1:1\/ [\d.]+ ms \(unreachable: .+\)\n$/,
  )
})

test.each(['stateful', 'contract'] as const)(
  'the %s mock of images marks failures that were requested',
  async (kind) => {
    const { urls, entry } = await startLogged('images', { kind, options: { failureRate: '1' } })
    const list = async (headers: Record<string, string>) => {
      await (await fetch(`${urls['account']}/accounts/acc-1/images/v2`, { headers })).text()
      return entry()
    }
    expect(await list(api)).toMatchObject({ injected: '--failure-rate' })
    expect(await list({ ...api, prefer: 'code=429' })).toMatchObject({
      status: 429,
      injected: 'Prefer',
    })
    const { injected: none } = (await list({ ...api, prefer: 'code=200' })) as { injected?: string }
    expect(none).toBeUndefined()
    const text = await startLogged('images', {
      kind,
      asJson: false,
      options: { failureRate: '1', latency: '0' },
    })
    await fetch(`${text.urls['account']}/accounts/acc-1/images/v2`, { headers: api })
    expect(await text.line()).toMatch(/ (429|50\d) [\d.]+ ms \(--failure-rate: .+\)\n$/)
  },
)

test('the tool server logs calls, and the requirement of a refused origin', async () => {
  const { urls, entry } = await startLogged('tools')
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const send = async (body: object, more: Record<string, string> = {}) => {
    const response = await fetch(urls['mcp']!, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    })
    await response.text()
    return response.headers.get('mcp-session-id') ?? ''
  }
  const session = await send(initialize)
  const call = { name: 'shelf_show_status', arguments: { secret: 'x' } }
  await send(
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
    { 'mcp-session-id': session },
  )
  await send(initialize, { origin: 'http://other.example' })
  expect([await entry(), await entry(), await entry()]).toMatchObject([
    { server: 'tools', call: 'initialize', status: 200 },
    { call: 'tools/call shelf_show_status', status: 200 },
    { status: 403, requirement: 'TOOL-HTTP-09', reason: 'This origin is not allowed' },
  ])
})

test.each([
  [
    'images',
    'account',
    '/accounts/acc-1/images/v2',
    api,
    '400, 401, 403, 404, 413, 429, 500 and 502',
  ],
  [
    'hooks',
    'api',
    '/projects/42/hooks',
    { 'private-token': 'hooks-token' },
    '400, 401, 403, 404, 422 and 429',
  ],
] as const)(
  'a preference that the stateful mock of %s lacks is logged',
  async (name, host, path, headers, known) => {
    const { urls, entry } = await startLogged(name)
    const ignored = `Prefer is ignored: only code=${known} are known`
    for (const prefer of ['code=418', 'example=first', 'dynamic=true']) {
      await fetch(urls[host] + path, { headers: { ...headers, prefer } })
      expect(await entry()).toMatchObject({ status: 200, ignored })
    }
    await fetch(urls[host] + path, { headers: { ...headers, prefer: 'return=minimal' } })
    expect(await entry()).not.toHaveProperty('ignored')
    const text = await startLogged(name, { asJson: false })
    await fetch(text.urls[host] + path, { headers: { prefer: 'code=418' } })
    expect(await text.line()).toMatch(`(${ignored}; `)
  },
)
