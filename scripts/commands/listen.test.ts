import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { exampleOf } from '../../generated/events/examples.ts'
import { headersOf, type HeaderOptions } from '../../mocks/deliveries/headers.ts'
import { send } from '../../mocks/deliveries/send.ts'
import { startCommand, startRequest, stopAll, type CommandRun } from './command.testing.ts'
import { judgeInput } from './validate/read.ts'
import { inputsOf } from './deliveries/inputs.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-listen-'))
afterAll(() => rmSync(folder, { recursive: true }))
const started: CommandRun[] = []
afterEach(() => stopAll(started))

function listen(...args: string[]): CommandRun {
  const run = startCommand(['listen', '--port', '0', ...args], { RECEIVER_SECRET: 'hush-hush' })
  started.push(run)
  return run
}

/** Waits until the command has printed `count` lines. */
async function lines(run: CommandRun, count: number): Promise<string[]> {
  while (run.output.out.split('\n').length <= count && run.child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(run.output.out.split('\n').length, run.output.out + run.output.err).toBeGreaterThan(count)
  return run.output.out.trimEnd().split('\n')
}

const deliver = (
  url: string,
  { event = 'push', token = 'hush-hush', ...more }: Partial<HeaderOptions> = {},
  body: unknown = exampleOf(event)!.payload,
) =>
  send({
    url,
    headers: headersOf({ event, token: token === '' ? undefined : token, ...more }),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    rejectUnauthorized: false,
  })

describe('touchstone listen', () => {
  test('prints and saves each delivery without its secrets, and exits despite open connections', async () => {
    const saved = join(folder, 'some', 'where')
    const run = listen('--json', '--save', saved, '--status', '202')
    const { url } = JSON.parse((await lines(run, 1))[0]!) as { url: string }
    const payload = exampleOf('push')!.payload
    const responses = [
      await deliver(`${url}a/b?c=hush-hush`),
      await deliver(
        url,
        { event: 'job', token: 'hush-hush!' },
        { ...exampleOf('job')!.payload, build_status: 'done', secret: 'it is hush-hush' },
      ),
      await deliver(url, { token: '' }, { ...payload, ref: 'main' }),
      await deliver(url, {}, 'no json, hush-hush'),
      await deliver(url, { event: 'issue', eventHeader: 'Push Hook' }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    const printed = (await lines(run, 6)).slice(1).map(
      (line) =>
        JSON.parse(line) as {
          verdict: string
          event: string | null
          token: string
          path: string
          file: string
          findings: { requirement: string }[]
        },
    )
    expect(
      printed.map(({ verdict, event, token, path, findings }) => [
        verdict,
        event,
        token,
        path,
        ...findings.map(({ requirement }) => requirement),
      ]),
    ).toEqual([
      ['ok', 'push', 'right', '/a/b?c=$RECEIVER_SECRET'],
      ['fails', 'job', 'wrong', '/', 'EVT-JOB-13', 'EVT-HEADER-01'],
      ['fails', 'push', 'missing', '/', 'EVT-PUSH-10', 'EVT-HEADER-01'],
      ['fails', 'push', 'right', '/', 'EVT-DELIVERY-03'],
      ['fails', 'issue', 'right', '/', 'EVT-ISSUE-03'],
    ])
    const half = await startRequest(url)
    run.child.kill('SIGINT')
    expect([await run.ended, run.output.err]).toEqual([0, ''])
    half.destroy()
    expect(JSON.parse((await lines(run, 7)).at(-1)!)).toEqual({
      summary: { deliveries: 5, ok: 1, warned: 0, failed: 4, notJudged: 0, connectionErrors: 0 },
    })

    const files = readdirSync(saved)
    expect(files).toEqual(files.toSorted())
    expect(files.map((name) => name.replace(/^\d{8}T\d{6}\.\d{3}Z-/, ''))).toEqual([
      '000001-push.json',
      '000002-job.json',
      '000003-push.json',
      '000004-push.json',
      '000005-issue.json',
    ])
    expect(printed.map(({ file }) => file)).toEqual(files.map((name) => join(saved, name)))
    const texts = files.map((name) => readFileSync(join(saved, name), 'utf8'))
    expect(texts.join() + run.output.out).not.toContain('hush-hush')
    expect(JSON.parse(texts[0]!)).toMatchObject({
      method: 'POST',
      url: '/a/b?c=$RECEIVER_SECRET',
      headers: { 'X-Hook-Event': 'Push Hook', 'X-Hook-Token': '$RECEIVER_SECRET' },
      body: payload,
    })
    // The saved deliveries have the same verdicts when they are validated, although their tokens
    // were not saved.
    const verdicts: string[] = []
    for (const input of inputsOf([saved]))
      await judgeInput(input, {}, ({ verdict, findings }) =>
        verdicts.push([verdict, ...findings.map(({ requirement }) => requirement)].join(' ')),
      )
    expect(verdicts).toEqual([
      'ok',
      'fails EVT-JOB-13 EVT-HEADER-01',
      'fails EVT-PUSH-10 EVT-HEADER-01',
      'fails EVT-DELIVERY-03',
      'fails EVT-ISSUE-03',
    ])
  })

  test('saves neither secrets in a query nor the values of unknown headers', async () => {
    const saved = join(folder, 'unknown-secrets')
    const run = listen('--json', '--save', saved)
    const { url } = JSON.parse((await lines(run, 1))[0]!) as { url: string }
    await send({
      url: `${url}hook?token=in-the-query&project=42&api_key=in-the-query`,
      headers: [
        ['X-Gate', 'in-a-header'],
        ['Content-Type', 'application/json'],
      ],
      body: '{"object_kind":"note"}',
    })
    await lines(run, 2)
    run.child.kill('SIGINT')
    await run.ended
    const [file] = readdirSync(saved)
    const text = readFileSync(join(saved, file!), 'utf8')
    expect(text).not.toMatch(/in-the-query|in-a-header/)
    expect(JSON.parse(text)).toMatchObject({
      url: '/hook?token=(not saved)&project=42&api_key=(not saved)',
      headers: { 'X-Gate': '(not saved)', 'Content-Type': 'application/json' },
    })
    expect(JSON.parse(run.output.out.split('\n')[1]!)).toMatchObject({
      verdict: 'not judged',
      event: null,
      findings: [{ path: '/object_kind', received: '"note"' }],
    })
  })

  test('prints violations as text, and receives deliveries over TLS', async () => {
    const run = listen('--tls', '--token', 'other one')
    await lines(run, 5)
    const url = /https:\/\/127\.0\.0\.1:\d+\//.exec(run.output.out)![0]
    expect(run.output.out).toContain(`touchstone emit push --to ${url}hook --insecure\n`)
    await send({ url, headers: [], body: '', method: 'GET', rejectUnauthorized: false })
    await deliver(`${url}hook`, { event: 'tag_push', token: 'other one' })
    await send({ url, headers: [], body: '' })
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(run.output.out.slice(run.output.out.indexOf('Ctrl-C'))).toMatch(
      new RegExp(
        '^Ctrl-C stops it\\.\n\n\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  fails       unknown        token missing  GET /  method: expected POST; received GET  EVT-DELIVERY-01\n' +
          '( +(body|X-Hook-Event|User-Agent|Content-Type|X-Hook-Token): .*\n){5}' +
          '\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  ok          tag_push       token right    v1\\.4\\.0-rc\\.1 created  /hook\n(1 TLS .*\n)?2 deliveries: 1 ok, 1 failed\n$',
      ),
    )
  })

  test.each([
    [['--port', 'x'], '--port must be a port'],
    [['--status', '100'], '--status must be'],
    [['--host', 'no such host'], 'is not an address to listen on'],
    [['--save', join(folder, 'file')], 'deliveries cannot be saved to'],
  ])('%j is a usage error', async (args, text) => {
    writeFileSync(join(folder, 'file'), '')
    const run = listen(...args)
    expect([await run.ended, run.output.out, run.output.err]).toEqual([
      3,
      '',
      expect.stringContaining(text),
    ])
  })

  test('reports a port that is in use, and what to do', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve)
    })
    const { port } = other.address() as AddressInfo
    const run = listen('--port', String(port))
    expect([await run.ended, run.output.err]).toEqual([
      3,
      expect.stringMatching(
        new RegExp(`^error: port ${port} on 127\\.0\\.0\\.1 is in use.*\n +Next: --port 0`),
      ),
    ])
    await new Promise((resolve) => {
      other.close(resolve)
    })
  })
})
