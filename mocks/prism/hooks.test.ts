import { createLogger } from '@stoplight/prism-core'
import { createServer } from '@stoplight/prism-http-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContractHooks, type ContractHooksServer } from './hooks.ts'
import { operationsOf } from './prism.ts'

const operations = await operationsOf('hooks')
const prism = createServer(operations, {
  components: { logger: createLogger('prism', { level: 'silent' }) },
  config: {
    isProxy: false,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false },
  },
  cors: false,
})
let prismUrl: string
let mock: ContractHooksServer
beforeAll(async () => {
  prismUrl = await prism.listen(0, '127.0.0.1')
  mock = await startContractHooks()
})
afterAll(async () => {
  await Promise.all([mock.close(), prism.close()])
})

const url = 'https://builds.example/hooks/in?source=harbour'
const hooks = '/projects/42/hooks'
const tests = `${hooks}/7/test/push_events`

async function call(
  path: string,
  {
    json,
    headers = {},
    token = 'hooks-token',
    base = mock.url,
    method = 'POST',
  }: {
    json?: unknown
    headers?: Record<string, string>
    token?: string | null
    base?: string
    method?: string
  } = {},
) {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token === null ? {} : { 'private-token': token }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

describe('the mock answers like Prism itself', () => {
  const cases = operations.flatMap((operation) =>
    [undefined, ...operation.responses.map(({ code }) => code)].map((code) => ({
      operation,
      code,
      name: operation.iid ?? '',
    })),
  )
  test('for both operations', () => {
    expect(operations.map(({ iid }) => iid)).toEqual(['createHook', 'testHook'])
  })

  test.each(cases)('$name: $code', async ({ operation, code }) => {
    const create = operation.iid === 'createHook'
    const init = {
      ...(create ? { json: { url } } : {}),
      headers: code === undefined ? {} : { prefer: `code=${code}` },
    }
    const path = create ? hooks : tests
    const expected = await call(path, { ...init, base: prismUrl })
    expect(expected.status).toBe(Number(code ?? 201))
    expect(await call(path, init)).toEqual(expected)
  })
})

describe('a creation', () => {
  test('returns the requested values, except the token', async () => {
    const { status, body } = await call(hooks, {
      json: { url: 'http://127.0.0.1/in', token: 'hidden', job_events: true, id: 'mine' },
    })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        id: 7,
        url: 'http://127.0.0.1/in',
        job_events: true,
        push_events: true,
        project_id: 42,
      }),
    ])
    expect(JSON.stringify(body)).not.toContain('hidden')
  })

  test.each<[string, unknown]>([
    ['no url', {}],
    ['a url that is not a string', { url: 1 }],
    ['an invalid flag', { url, push_events: 'true' }],
    ['a list', []],
    ['invalid JSON', '{'],
    ['no body', undefined],
  ])('with %s is refused', async (_name, json) => {
    expect(await call(hooks, { json })).toEqual({
      status: 400,
      body: { message: expect.any(String) },
    })
  })
})

test.each([[null], [''], ['x'], ['hooks-token2']])('refuses the token %j', async (token) => {
  for (const path of [hooks, tests])
    expect(await call(path, { token })).toEqual({
      status: 401,
      body: { message: expect.any(String) },
    })
})

test('returns 404 for other projects, paths and methods', async () => {
  for (const [path, method] of [
    ['/projects/43/hooks', 'POST'],
    [`${hooks}/7`, 'GET'],
    [hooks, 'DELETE'],
    [`${tests}/x`, 'POST'],
  ] as const) {
    expect(await call(path, { method })).toEqual({
      status: 404,
      body: { message: expect.any(String) },
    })
  }
})

test('the mock applies its options', async () => {
  const other = await startContractHooks({ project: 'a/b', token: 't', basePath: '/v9' })
  const response = await fetch(`${other.url}/projects/a%2Fb/hooks`, {
    method: 'POST',
    headers: { 'private-token': 't', 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  expect([response.status, other.url.endsWith('/v9')]).toEqual([201, true])
  await other.close()
})

test('a request for an event says that only the stateful mock has events', async () => {
  const response = await fetch(new URL('/_touchstone/events', mock.url), { method: 'POST' })
  expect([response.status, await response.json()]).toEqual([
    404,
    { message: 'Only the stateful mock sends deliveries. Start it with --stateful' },
  ])
})
