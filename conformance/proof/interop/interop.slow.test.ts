import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import { startGreeting } from '../../../mocks/stateful/greeting.ts'
import { makeCertificate, type Certificate } from '../../../mocks/serving/certificate.ts'
import { totalsOf } from '../../engine/index.ts'
import { startSuite } from '../../suite.ts'
import { installTimeoutMs } from './apt.testing.ts'
import { findPython, type Python } from './python.testing.ts'
import { suiteDefaults } from '../../target-file/index.ts'

// The suite and the mock use the HTTP/2 implementation of Node. Here each of them communicates with
// grpcio, whose implementations of HTTP/2 and Protocol Buffers are written in C++.
const log = (line: string) => process.stderr.write(`\n${line}\n`)

let python: Python | string
beforeAll(async () => {
  python = await findPython(log)
  if (typeof python === 'string' && !process.env['CI'])
    log(`SKIPPED: the tests with grpcio. ${python}`)
}, installTimeoutMs)
afterAll(async () => {
  if (typeof python === 'object') await python.close()
})

/** In CI no test may be skipped. */
function requirePython({ skip }: TestContext): Python {
  if (typeof python === 'object') return python
  if (process.env['CI']) throw new Error(python)
  return skip(python)
}

const token = 'a-token-of-the-tests'
let folder: string
let certificate: Certificate & { files: [key: string, cert: string] }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-interop-'))
  const files: [string, string] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  certificate = { ...(await makeCertificate()), files }
  await Promise.all([
    writeFile(files[0], certificate.key, { mode: 0o600 }),
    writeFile(files[1], certificate.cert),
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const concurrent = 'ended before them'
const servers: { kind: string; secondStream: string; secured?: true }[] = [
  { kind: 'asyncio', secondStream: concurrent },
  { kind: 'threads 10', secondStream: concurrent },
  // A single thread serves streams in sequence.
  { kind: 'threads 1', secondStream: 'did not end within 1 s' },
  { kind: 'tls', secondStream: concurrent, secured: true },
]

test.for(servers)(
  'a server of grpcio passes every check: $kind',
  async ({ kind, secondStream, secured }, context) => {
    const server = await requirePython(context).serve(
      'greeting_server.py',
      ...kind.split(' '),
      ...(secured ? [...certificate.files, token] : []),
    )
    context.onTestFinished(() => server.close())
    const access = secured
      ? { tls: { ca: certificate.cert }, metadata: { authorization: `Bearer ${token}` } }
      : {}
    const greeting = {
      address: server.address,
      service: 'examples.GreetingService',
      relationship: 'one-to-one' as const,
      ...access,
    }
    const run = await startSuite({
      greeting,
      suite: {
        ...suiteDefaults,
        settle: 0,
        watch: 1000,
      },
    })
    const verdicts = await run.verdicts
    await run.finish()
    const unsound = verdicts.filter(({ verdict }) =>
      ['fail', 'error', 'blocked', 'warn'].includes(verdict),
    )
    expect(
      unsound.map(({ key, verdict, reason, expectations }) => ({
        key,
        verdict,
        reason,
        unmet: expectations.filter(({ held }) => !held),
      })),
    ).toEqual([])
    expect(totalsOf(verdicts).pass).toBeGreaterThanOrEqual(secured ? 29 : 28)
    const observed = (requirement: RequirementId) =>
      verdicts.find((verdict) => verdict.requirement === requirement)?.observations?.join() ?? ''
    expect(observed('GRT-GRPC-11')).toContain(secondStream)
    if (secured) expect(observed('GRT-AUTH-03')).toContain('UNAUTHENTICATED')
  },
)

interface CallReport {
  responses: [message: string, timestamp: string][]
  code: string
  while_open?: string[]
}

test.for([{ how: 'in plaintext' }, { how: 'over TLS, with a token', secured: true }])(
  'the mock serves a client of grpcio $how',
  async ({ secured }, context) => {
    const client = requirePython(context)
    const mock = await startGreeting(secured ? { tls: certificate, token } : {})
    context.onTestFinished(() => mock.close())
    const began = Date.now()
    const reports = (await client.run(
      'greeting_client.py',
      mock.address,
      ...(secured ? [certificate.files[1], token] : []),
    )) as Record<string, CallReport>
    const hello = (...names: string[]) => names.map((name) => `Hello, ${name}!`)
    const results = Object.fromEntries(
      Object.entries(reports).map(([name, { responses, code, while_open: whileOpen }]) => [
        name,
        { messages: responses.map(([message]) => message), code, whileOpen },
      ]),
    )
    expect(results).toEqual({
      names: { code: 'OK', messages: hello('Ada', 'Łucja', 'Ἀθηνᾶ', 'محمد', '王秀英', '👩‍🚀') },
      many: {
        code: 'OK',
        messages: hello(...Array.from({ length: 1000 }, (_, number) => `Guest ${number}`)),
      },
      large: { code: 'OK', messages: hello('Ada'.repeat(100_000)) },
      gzip: { code: 'OK', messages: hello('Ada'.repeat(1000)) },
      none: { code: 'OK', messages: [] },
      half_close: { whileOpen: hello('Ada', 'Grace'), code: 'OK', messages: [] },
      deadline: { whileOpen: hello('Ada'), code: 'DEADLINE_EXCEEDED', messages: [] },
      cancel: { whileOpen: hello('Ada'), code: 'CANCELLED', messages: [] },
      unknown: { code: 'UNIMPLEMENTED', messages: [] },
      afterwards: { code: 'OK', messages: hello('Ada') },
      ...(secured ? { unauthenticated: { code: 'UNAUTHENTICATED', messages: [] } } : {}),
    })
    for (const [, timestamp] of reports['names']!.responses)
      expect(Math.abs(Date.parse(timestamp) - began)).toBeLessThan(60_000)
    // Cancelled and expired calls must end at the mock as well.
    await expect.poll(() => mock.context.openCalls.size).toBe(0)
  },
)
