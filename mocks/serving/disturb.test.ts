import { afterEach, expect, test } from 'vitest'
import { mockOf, type MockKind, type Running, type StartOptions } from '../registry.ts'
import { newDisturber } from './disturb.ts'

const started: Running[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((mock) => mock.close()))
})

async function start(
  name: string,
  kind: MockKind,
  disturbance?: NonNullable<StartOptions['serving']>['disturbance'],
): Promise<Record<string, string>> {
  const { hosts, start: startMock } = mockOf(name)
  const ports = Object.fromEntries(hosts.map((host) => [host, 0]))
  const serving = disturbance === undefined ? {} : { disturbance }
  const mock = await startMock({ kind, ports, serving })
  started.push(mock)
  return mock.urls
}

const statusesOf = async (url: string, init: RequestInit, count: number) => {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) {
    const response = await fetch(url, init)
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}

const imageRequest = { headers: { authorization: 'Bearer images-token' } }
const hookRequest = {
  method: 'POST',
  headers: { 'private-token': 'hooks-token', 'content-type': 'application/json' },
  body: '{"url":"http://127.0.0.1:9/"}',
}

for (const kind of ['stateful', 'contract'] as const) {
  test(`some requests to the ${kind} mocks fail, and a new run repeats the failures`, async () => {
    const run = async (seed: string) => {
      const disturbance = { seed, failureRate: 0.4 }
      const { account } = await start('images', kind, disturbance)
      const { api } = await start('hooks', kind, disturbance)
      return [
        await statusesOf(`${account}/accounts/acc-1/images/v2`, imageRequest, 30),
        await statusesOf(`${api}/projects/42/hooks`, hookRequest, 10),
      ]
    }
    const [images = [], hooks = []] = await run('one')
    expect([...new Set(images)].toSorted()).toEqual([200, 429, 500, 502])
    expect([...new Set(hooks)].toSorted()).toEqual([201, 429])
    expect(await run('one')).toEqual([images, hooks])
    expect(await run('two')).not.toEqual([images, hooks])
  })

  test(`the delivery host of the ${kind} mock fails if a client requests it, and at random`, async () => {
    const { delivery } = await start('images', kind)
    const url = `${delivery}/hash/id/public`
    const statuses = [400, 401, 403, 404, 413, 429, 500, 502]
    for (const status of statuses) {
      const response = await fetch(url, { headers: { prefer: `code=${status}` } })
      expect([response.status, await response.json()]).toMatchObject([status, { success: false }])
    }
    const limited = await fetch(url, { headers: { prefer: 'code=429' } })
    expect(limited.headers.get('retry-after')).toBe('1')
    const usual = kind === 'stateful' ? 404 : 200
    expect(await statusesOf(url, { headers: { prefer: 'code=418' } }, 1)).toEqual([usual])
    const failing = await start('images', kind, { seed: '1', failureRate: 1 })
    const seen = await statusesOf(`${failing['delivery']}/hash/id/public`, {}, 12)
    expect([...new Set(seen)].toSorted()).toEqual([429, 500, 502])
  })
}

test.each(['stateful', 'contract'] as const)(
  'requested failures of the %s mocks have the headers that HTTP defines for them',
  async (kind) => {
    const { account } = await start('images', kind)
    const { api } = await start('hooks', kind)
    const images = (prefer: string) =>
      fetch(`${account}/accounts/acc-1/images/v2`, {
        headers: { ...imageRequest.headers, prefer },
      })
    const hooks = (prefer: string) =>
      fetch(`${api}/projects/42/hooks`, {
        ...hookRequest,
        headers: { ...hookRequest.headers, prefer },
      })
    expect((await images('code=429')).headers.get('retry-after')).toBe('1')
    expect((await hooks('code=429')).headers.get('retry-after')).toBe('1')
    expect((await images('code=401')).headers.get('www-authenticate')).toBe('Bearer')
    expect((await images('code=400')).headers.get('retry-after')).toBeNull()
  },
)

test('every delay is within the range, and equal seeds give equal delays', () => {
  const delays = (seed: string) => {
    const { nextDelay } = newDisturber('hooks', { seed, latency: { min: 20, max: 30 } })
    return Array.from({ length: 200 }, nextDelay)
  }
  expect([Math.min(...delays('1')), Math.max(...delays('1'))]).toEqual([20, 30])
  expect(delays('1')).toEqual(delays('1'))
  expect(delays('1')).not.toEqual(delays('2'))
})

test('a delayed response is still complete', async () => {
  const { receiver } = await start('receiver', 'stateful', {
    seed: '1',
    latency: { min: 1, max: 5 },
  })
  const headers = { 'x-hook-token': 'receiver-secret', 'x-hook-event': 'Push Hook' }
  const delivery = { method: 'POST', headers, body: '{"object_kind":"push"}' }
  expect(await statusesOf(receiver!, delivery, 3)).toEqual([200, 200, 200])
})
