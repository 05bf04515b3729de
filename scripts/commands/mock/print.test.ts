import { afterEach, expect, test } from 'vitest'
import { mockOf, type Running, type StartOptions } from '../../../mocks/registry.ts'
import { asJson, asText } from './print.ts'

const started = new Map<string, Running>()
afterEach(async () => {
  await Promise.all([...started.values()].map((mock) => mock.close()))
  started.clear()
})

async function start(name: string, options: Partial<StartOptions> = {}): Promise<Running> {
  const { hosts, start: startMock } = mockOf(name)
  const ports = Object.fromEntries(hosts.map((host) => [host, 0]))
  const running = await startMock({ kind: 'stateful', ports, ...options })
  started.set(name, running)
  return running
}

const print = (seeded?: Record<string, number>) =>
  asText(started, { targetFile: undefined, caFile: undefined, seeded })

test('commands contain the URLs of the mocks that were started together', async () => {
  await start('hooks')
  const { urls: receiver } = await start('receiver', { secret: "it's & ours" })
  const { urls: tools } = await start('tools')
  await start('identity')
  const text = print()
  expect(text).toContain(`-d url=${receiver['receiver']} --data-urlencode `)
  expect(text).not.toMatch(/:40[35]0/)
  const callback = new URL('/callback', tools['mcp']).href
  expect(text).toContain(`redirect_uri=${encodeURIComponent(callback)}`)
  expect(text).toContain('\n/_touchstone/…  reset, events, deliveries, clock, audit, upstream\n')
})

test.each([
  ['images', 'stateful', 'reset, clock'],
  ['images', 'contract', 'reset'],
  ['hooks', 'stateful', 'reset, events'],
  ['receiver', 'stateful', 'reset, deliveries'],
  ['tools', 'stateful', 'reset, clock, audit, upstream'],
  ['identity', 'stateful', 'reset'],
] as const)('%s alone, %s, names its own paths', async (name, kind, paths) => {
  await start(name, { kind })
  const line = `/_touchstone/…  ${paths} (docs/mocking.md)`
  expect(print().split('\n')).toContain(line)
  expect(line.length).toBeLessThanOrEqual(80)
})

test('greeting alone has no such paths', async () => {
  await start('greeting')
  expect(print()).not.toContain('/_touchstone/')
})

test('a mock that is started alone names the usual addresses of others', async () => {
  await start('hooks')
  expect(print()).toContain('-d url=http://127.0.0.1:4030/hook http')
})

test.each(['stateful', 'contract'] as const)(
  'options of one mock do not change the others, %s',
  async (kind) => {
    const names = ['images', 'hooks', 'receiver', 'greeting', 'tools', 'identity']
    const describeAll = async (options: Partial<StartOptions>) => {
      const described: Record<string, object> = {}
      for (const name of names) {
        const { tokens, identifiers, close } = await start(name, { kind, ...options })
        described[name] = { tokens, identifiers }
        await close()
      }
      return described
    }
    const usual = await describeAll({})
    expect(await describeAll({ token: 'hush' })).toEqual({
      ...usual,
      greeting: expect.objectContaining({ tokens: { bearer: 'hush' } }) as object,
    })
    expect(await describeAll({ secret: 'hush' })).toEqual({
      ...usual,
      receiver: expect.objectContaining({ tokens: { secret: 'hush' } }) as object,
    })
  },
)

test('the command for the identity provider prints the headers of its redirect', async () => {
  await start('identity')
  expect(print()).toMatch(/^curl -i 'http:.*authorize\?/m)
})

test('the token of a tool server with OAuth is not none', async () => {
  await start('tools', { auth: 'oauth-provider' })
  expect(print()).toMatch(/mcp +http:\S+ +OAuth\n/)
})

test('without sessions, the command calls a tool', async () => {
  const { urls } = await start('tools', { stateless: true })
  expect(print()).toContain('"method":"tools/call"')
  const example = started.get('tools')!.example(started)
  if (!('url' in example)) throw new Error('the example is not a request')
  const response = await fetch(example.url, {
    method: 'POST',
    headers: example.headers,
    body: JSON.stringify(example.json),
  })
  expect([example.url, await response.text()]).toEqual([
    urls['mcp'],
    expect.stringContaining('(b-001)'),
  ])
})

test('prints what a seed has added', async () => {
  await start('receiver')
  const seeded = { images: 2, hooks: 1 }
  expect(print(seeded)).toContain('\nseed  2 images, 1 hook\n')
  expect(JSON.parse(asJson(started, { caFile: undefined, seeded }))).toMatchObject({
    pid: process.pid,
    seed: seeded,
  })
})
