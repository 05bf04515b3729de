import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest'
import { startGreeting } from '../../../mocks/stateful/greeting.ts'
import { totalsOf } from '../../engine/index.ts'
import { startSuite } from '../../suite.ts'
import { findPython, type Python } from './python.ts'

// Suite and mock both stand on Node's HTTP/2. Here each of them meets grpcio, whose HTTP/2 and Protocol Buffers are others, written in C++.
const says = (line: string) => process.stderr.write(`\n${line}\n`)

let python: Python | string
beforeAll(async () => {
  python = await findPython(says)
  if (typeof python === 'string' && !process.env['CI']) says(`SKIPPED: the tests with another gRPC. ${python}`)
}, 600_000)
afterAll(async () => { if (typeof python === 'object') await python.close() })

/** Under CI nothing may be skipped. */
function needed({ skip }: TestContext): Python {
  if (typeof python === 'object') return python
  if (process.env['CI']) throw new Error(python)
  return skip(python)
}

const servers: { kind: string; warned: string[] }[] = [
  { kind: 'asyncio', warned: [] },
  { kind: 'threads 10', warned: [] },
  // One stream after the other, and none beside another one that is left open.
  { kind: 'threads 1', warned: [] },
]

test.for(servers)('the suite finds no fault in a server of grpcio: $kind', { timeout: 120_000 }, async ({ kind, warned }, context) => {
  const server = await needed(context).serve('greeting_server.py', ...kind.split(' '))
  context.onTestFinished(() => server.close())
  const greeting = { address: server.address, service: 'examples.GreetingService', relationship: 'one-to-one' as const }
  const run = startSuite({ greeting, suite: { settle: 0, pace: 0, patience: 10_000, watch: 1000, concurrency: 8, timeout: 10_000 } })
  const verdicts = await run.verdicts
  await run.finish()
  const unsound = verdicts.filter(({ verdict, requirement }) => ['fail', 'error', 'blocked', 'warn'].includes(verdict) && !(verdict === 'warn' && warned.includes(requirement)))
  expect(unsound.map(({ key, verdict, reason, expectations }) => ({ key, verdict, reason, broken: expectations.filter(({ held }) => !held) }))).toEqual([])
  expect(verdicts.filter(({ verdict }) => verdict === 'warn').map(({ requirement }) => requirement)).toEqual(warned)
  expect(totalsOf(verdicts).pass).toBeGreaterThanOrEqual(28)
})

interface Told { responses: [message: string, timestamp: string][]; code: string; while_open?: string[] }

test('the mock serves a client of grpcio', async (context) => {
  const client = needed(context)
  const mock = await startGreeting()
  context.onTestFinished(() => mock.close())
  const began = Date.now()
  const told = (await client.run('greeting_client.py', mock.address)) as Record<string, Told>
  const hello = (...names: string[]) => names.map((name) => `Hello, ${name}!`)
  const said = Object.fromEntries(Object.entries(told).map(([what, { responses, code, while_open: whileOpen }]) => [what, { messages: responses.map(([message]) => message), code, whileOpen }]))
  expect(said).toEqual({
    names: { code: 'OK', messages: hello('Ada', 'Łucja', 'Ἀθηνᾶ', 'محمد', '王秀英', '👩‍🚀') },
    many: { code: 'OK', messages: hello(...Array.from({ length: 1000 }, (_, number) => `Guest ${number}`)) },
    large: { code: 'OK', messages: hello('Ada'.repeat(100_000)) },
    gzip: { code: 'OK', messages: hello('Ada'.repeat(1000)) },
    none: { code: 'OK', messages: [] },
    half_close: { whileOpen: hello('Ada', 'Grace'), code: 'OK', messages: [] },
    deadline: { whileOpen: hello('Ada'), code: 'DEADLINE_EXCEEDED', messages: [] },
    cancel: { whileOpen: hello('Ada'), code: 'CANCELLED', messages: [] },
    unknown: { code: 'UNIMPLEMENTED', messages: [] },
    afterwards: { code: 'OK', messages: hello('Ada') },
  })
  for (const [, timestamp] of told['names']!.responses) expect(Math.abs(Date.parse(timestamp) - began)).toBeLessThan(60_000)
  // What was cancelled, or ran out of time, is over at the mock as well.
  await expect.poll(() => mock.context.open.size).toBe(0)
}, 120_000)
