import { afterEach, expect, test } from 'vitest'
import { mockOf, type MockKind, type RequestEntry, type Running } from '../registry.ts'

const started: Running[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((mock) => mock.close()))
})

async function start(name: string, kind: MockKind = 'stateful') {
  const entries: RequestEntry[] = []
  const { hosts, start: startMock } = mockOf(name)
  const ports = Object.fromEntries(hosts.map((host) => [host, 0]))
  const serving = { onRequest: (entry: RequestEntry) => void entries.push(entry) }
  const mock = await startMock({ kind, ports, serving })
  started.push(mock)
  const [base = ''] = Object.values(mock.urls)
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, base), init)
    return {
      status: response.status,
      allow: response.headers.get('allow'),
      text: await response.text(),
    }
  }
  return { call, entries }
}

test.each([
  ['images', 'reset', 'GET', 'POST'],
  ['images', 'clock', 'GET', 'POST'],
  ['hooks', 'events', 'GET', 'POST'],
  ['receiver', 'deliveries', 'POST', 'GET'],
  ['tools', 'reset', 'GET', 'POST'],
  ['tools', 'clock', 'GET', 'POST'],
  ['tools', 'audit', 'POST', 'GET'],
  ['tools', 'upstream', 'GET', 'POST'],
  ['identity', 'reset', 'GET', 'POST'],
])('%s names the method of /_touchstone/%s', async (name, path, method, allow) => {
  const { call } = await start(name)
  expect(await call(`/_touchstone/${path}`, { method })).toEqual({
    status: 405,
    allow,
    text: `Use ${allow}.\n`,
  })
})

test('a stateless mock names the option for a path that only the stateful mock has', async () => {
  const images = await start('images', 'contract')
  const { status, text } = await images.call('/_touchstone/clock', { method: 'POST', body: '{}' })
  expect([status, text]).toEqual([
    404,
    'Only the stateful mock has this path. Start it with --stateful.\n',
  ])
  const hooks = await start('hooks', 'contract')
  expect((await hooks.call('/_touchstone/events')).text).toContain('--stateful')
})

test('says what is wrong with the body', async () => {
  const hooks = await start('hooks')
  const events = await hooks.call('/_touchstone/events', { method: 'POST', body: '{"event": ' })
  expect([events.status, events.text]).toEqual([400, '{"error":"The body is not JSON"}'])
  const tools = await start('tools')
  for (const path of ['upstream', 'clock']) {
    const { status, text } = await tools.call(`/_touchstone/${path}`, { method: 'POST', body: 'x' })
    expect([status, text]).toEqual([400, expect.stringContaining('"message":"The body must be {')])
  }
})

test.each([
  ['hooks', ' Next: start the mock without --no-cors.'],
  ['tools', ' Next: start the mock with --allow-origin http://a.example.'],
  ['receiver', ''],
])('the refusal of a page by %s names only an option that the mock has', async (name, next) => {
  const { call } = await start(name)
  const headers = { Origin: 'http://a.example' }
  const { status, text } = await call('/_touchstone/reset', { method: 'POST', headers })
  expect([status, text]).toEqual([403, `Web pages are not allowed to use this mock.${next}\n`])
})

test('the request log of the tool server names --allow-origin for a preflight request', async () => {
  const { call, entries } = await start('tools')
  const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' }
  expect((await call('/mcp', { method: 'OPTIONS', headers })).status).toBe(405)
  await expect
    .poll(() => entries[0]?.reason)
    .toBe('a page of another origin; start the mock with --allow-origin http://localhost:5173')
})
