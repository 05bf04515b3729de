import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { loadTarget, type Target } from '../../conformance/target.ts'
import { UsageError } from '../print-error.ts'
import {
  initialize,
  startCommand,
  startRequest,
  stopAll,
  untilPrinted,
  type CommandRun,
} from './command.testing.ts'
import { describe as describeMockCommand } from './mock.ts'

const started: CommandRun[] = []
afterEach(() => stopAll(started))

function mock(...args: string[]): CommandRun {
  const run = startCommand(['mock', ...args])
  started.push(run)
  return run
}

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

function listening(port = 0): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject).listen(port, '127.0.0.1', () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((done) => {
            server.close(() => done())
          }),
      }),
    )
  })
}

/** Loads the target file of the `touchstone test` command that a mock printed. */
function loadPrintedTarget(output: string): Promise<Target> {
  return loadTarget({ file: /touchstone test --target (\S+)$/m.exec(output)![1], environment: {} })
}

/** The number of lines of an output on a terminal of 80 columns. */
const screenLinesOf = (text: string): number =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / 80)), 0)

describe('touchstone mock', () => {
  test.each([
    { options: ['--stateful'], kind: 'stateful' },
    { options: [], kind: 'contract' },
  ])(
    'as the $kind mock, prints its URLs as JSON, and on a signal exits and frees its ports',
    async ({ options, kind }) => {
      const run = mock(...options, '--port', '0', '--json', '--quiet')
      await untilPrinted(run, '\n')
      const { pid, mocks, target } = JSON.parse(run.output.out) as {
        pid: number
        mocks: Record<
          'images' | 'hooks' | 'receiver' | 'greeting' | 'tools',
          { kind: string; urls: Record<string, string> }
        >
        target: {
          images: {
            url: string
            account: string
            token: string
            state?: boolean
            fetchTimeout?: string
          }
        }
      }
      expect(pid).toBe(run.child.pid)
      expect(mocks.images.kind).toBe(kind)
      expect(Object.keys(mocks.images.urls)).toEqual(['account', 'batch', 'upload', 'delivery'])
      expect([target.images.state, target.images.fetchTimeout]).toEqual(
        kind === 'contract' ? [false, undefined] : [undefined, '3000ms'],
      )
      const { url, account, token } = target.images
      expect(
        (
          await fetch(`${url}/accounts/${account}/images/v2`, {
            headers: { authorization: `Bearer ${token}` },
          })
        ).status,
      ).toBe(200)
      const half = await startRequest(url)
      run.child.kill(kind === 'contract' ? 'SIGINT' : 'SIGTERM')
      expect(await run.ended).toBe(0)
      half.destroy()
      expect([
        Object.keys(mocks),
        mocks.hooks.kind,
        mocks.receiver.kind,
        mocks.greeting.kind,
        mocks.tools.kind,
      ]).toEqual([
        ['images', 'hooks', 'receiver', 'greeting', 'tools', 'identity'],
        kind,
        'stateful',
        'stateful',
        'stateful',
      ])
      for (const host of Object.values(mocks).flatMap(({ urls }) => Object.values(urls)))
        await (await listening(Number(/:(\d+)/.exec(host)?.[1]))).close()
      expect(run.output.err).toBe('')
    },
  )

  test('prints a table and commands to paste', async () => {
    const run = mock('images', '--stateful', '--port', '0', '--account', 'mine')
    await untilPrinted(run, 'Ctrl-C')
    expect(run.output.out).toMatch(/account +http:\/\/127\.0\.0\.1:\d+\/client\/v4 +images-token\n/)
    expect(run.output.out).toMatch(
      /curl -H 'Authorization: Bearer images-token' http\S+\/accounts\/mine\/images\/v2\n/,
    )
  })

  test('hooks deliver to a receiver that was started together with them', async () => {
    const run = mock(
      'hooks',
      'receiver',
      '--stateful',
      '--port',
      '0',
      '--project',
      'a/b',
      '--secret',
      "it's ours",
      '--json',
    )
    await untilPrinted(run, '\n')
    const { mocks, target } = JSON.parse(run.output.out) as {
      mocks: { hooks: { project: string } }
      target: {
        hooks: { url: string; project: string; token: string; testEvents: string[] }
        receiver: { url: string; secret: string }
      }
    }
    const { hooks, receiver } = target
    expect([mocks.hooks.project, hooks.project, hooks.testEvents.length, receiver.secret]).toEqual([
      'a/b',
      'a/b',
      10,
      "it's ours",
    ])
    const call = (path: string, body?: object) =>
      fetch(`${hooks.url}/projects/a%2Fb/hooks${path}`, {
        method: 'POST',
        headers: { 'private-token': hooks.token, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const { id } = (await (
      await call('', { url: receiver.url, token: receiver.secret })
    ).json()) as { id: number }
    expect((await call(`/${id}/test/push_events`)).status).toBe(201)
    const received = async () =>
      (
        (await (await fetch(new URL('/_touchstone/deliveries', receiver.url))).json()) as {
          deliveries: { event: string }[]
        }
      ).deliveries
    for (let n = 0; n < 200 && (await received()).length === 0; n += 1)
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect((await received()).map(({ event }) => event)).toEqual(['Push Hook'])
  })

  test('prints tables of the stateless hooks and of the receiver', async () => {
    const run = mock('hooks', 'receiver', '--port', '0')
    await untilPrinted(run, 'Ctrl-C')
    expect(run.output.out).toMatch(
      /api +http:\/\/127\.0\.0\.1:\d+\/api\/v4 +hooks-token, project 42\n/,
    )
    expect(run.output.out).toMatch(/receiver +http:\/\/127\.0\.0\.1:\d+\/hook +receiver-secret\n/)
    const receiver = /receiver +(http:\S+)/.exec(run.output.out)![1]!
    expect(run.output.out).toMatch(
      /curl -H PRIVATE-TOKEN:hooks-token .* http\S+\/projects\/42\/hooks\n/,
    )
    expect(run.output.out).toContain(`'{"url":"${receiver}"}'`)
    const file = /touchstone test --target (\S+)/.exec(run.output.out)![1]!
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    run.child.kill('SIGINT')
    expect(await run.ended).toBe(0)
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  test('prints the URLs of both HTTP transports of tools, and accepts another upstream', async () => {
    const run = mock('tools', '--port', '0')
    await untilPrinted(run, 'Ctrl-C')
    expect(run.output.out).toMatch(/mcp +http:\/\/127\.0\.0\.1:\d+\/mcp +none\n/)
    expect(run.output.out).toMatch(/sse +http:\/\/127\.0\.0\.1:\d+\/sse +none\n/)
    expect((await loadPrintedTarget(run.output.out)).tools?.get?.arguments).toEqual({ id: 'b-001' })
    const upstream = /upstream +(http:\S+)/.exec(run.output.out)?.[1] ?? ''
    const other = mock('tools', '--port', '0', '--stateless', '--upstream', upstream, '--json')
    await untilPrinted(other, '\n')
    const {
      target: { tools },
    } = JSON.parse(other.output.out) as {
      target: { tools: { http: string; stdio: { args: string[] }; upstream: { forward: string } } }
    }
    expect([tools.upstream.forward, tools.stdio.args.at(-1)]).toEqual([upstream, '{upstream}'])
    const response = await fetch(tools.http, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'shelf_get_book', arguments: { id: 'b-001' } },
      }),
    })
    expect([
      response.status,
      response.headers.get('mcp-session-id'),
      (await response.text()).includes('(b-001)'),
    ]).toEqual([200, null, true])
  })

  test.each([
    ['streamable_http', { mcp: 200, sse: 404 }, ['http']],
    ['sse', { mcp: 404, sse: 200 }, ['sse']],
  ])('tools --transport %s offers and prints this transport alone', async (name, status, keys) => {
    const run = mock(
      'tools',
      '--transport',
      name,
      '--auth',
      'oauth-provider',
      '--port',
      '0',
      '--json',
    )
    const open = mock('tools', '--transport', name, '--port', '0', '--json')
    await Promise.all([untilPrinted(run, '\n'), untilPrinted(open, '\n')])
    const [secured, plain] = [run, open].map(
      ({ output }) =>
        JSON.parse(output.out) as {
          mocks: { tools: { urls: Record<string, string> } }
          target: { tools: Record<string, string> }
        },
    )
    const { urls } = plain!.mocks.tools
    expect(Object.values(urls)).toEqual(keys.map((key) => plain!.target.tools[key]))
    expect(
      Object.keys(plain!.target.tools).filter((key) => ['http', 'sse', 'stdio'].includes(key)),
    ).toEqual(keys)
    const { origin } = new URL(Object.values(urls)[0]!)
    const request = { method: 'POST', headers, body: JSON.stringify(initialize) }
    const stream = await fetch(`${origin}/sse`)
    await stream.body?.cancel()
    expect({ mcp: (await fetch(`${origin}/mcp`, request)).status, sse: stream.status }).toEqual(
      status,
    )
    const { origin: issuer } = new URL(Object.values(secured!.mocks.tools.urls)[0]!)
    const metadata = (path: string) =>
      fetch(`${issuer}/.well-known/oauth-protected-resource${path}`)
    expect({ mcp: (await metadata('/mcp')).status, sse: (await metadata('/sse')).status }).toEqual(
      status,
    )
  })

  test('tools --audit-log appends tool calls and refused requests to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-mock-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'audit.jsonl')
    await writeFile(file, '{"earlier":true}\n')
    const run = mock(
      ...['tools', '--auth', 'jwt', '--stateless', '--audit-log', file, '--port', '0', '--json'],
    )
    await untilPrinted(run, '\n')
    const { mocks } = JSON.parse(run.output.out) as {
      mocks: { tools: { urls: { mcp: string }; tokens: { bearer: string } } }
    }
    const { urls, tokens } = mocks.tools
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'shelf_show_status', arguments: {} },
    })
    for (const authorization of ['', `Bearer ${tokens.bearer}`])
      await fetch(urls.mcp, { method: 'POST', headers: { ...headers, authorization }, body })
    const text = await readFile(file, 'utf8')
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { earlier: true },
      { event: 'resource', outcome: 'refused' },
      { event: 'tool call', outcome: 'done', tool: 'shelf_show_status', transport: 'http' },
    ])
    expect(text).not.toContain(tokens.bearer)
  })

  test.each([
    'tools --transport sse',
    'tools --auth jwt',
    'tools --auth oauth-provider',
    'tools --auth oauth-proxy',
    'images hooks receiver greeting tools',
    'greeting --tls --token hush',
    'tools --auth jwt --transport streamable_http',
    '',
  ])(
    'mock %s --stateful: the output fits a screen, and touchstone test accepts its target',
    async (line) => {
      const args = line === '' ? [] : line.split(' ')
      const run = mock(...args, '--stateful', '--port', '0')
      await untilPrinted(run, 'touchstone test')
      expect(screenLinesOf(run.output.out), run.output.out).toBeLessThanOrEqual(24)
      const { suite: _settings, ...sections } = await loadPrintedTarget(run.output.out)
      expect(Object.keys(sections)).toEqual(
        args.length === 0 || (args.length === 5 && args[0] === 'images')
          ? ['images', 'hooks', 'receiver', 'greeting', 'tools']
          : [args[0]],
      )
      if (sections.tools !== undefined)
        expect(sections.tools.calls?.['shelf_create_loan']).toEqual({
          book_id: 'b-002',
          reader_id: 'r-003',
        })
    },
  )

  test('reports a port that is in use, its host, and what to do', async () => {
    const other = await listening()
    const run = mock('--stateful', '--port', '0', '--port', `upload=${other.port}`)
    expect(await run.ended).toBe(3)
    expect(run.output.err).toContain(
      `port ${other.port} on 127.0.0.1, for the upload host of images, is in use`,
    )
    expect(run.output.err).toContain('--port 0')
    expect(run.output.err).not.toMatch(/^\s+at /m)
    expect(run.output.out).toBe('')
    await other.close()
    const rpc = await listening()
    const second = mock('greeting', '--port', String(rpc.port))
    expect(await second.ended).toBe(3)
    expect(second.output.err).toContain(
      `port ${rpc.port} on 127.0.0.1, for the rpc host of greeting, is in use`,
    )
    // Only names that the help lists are suggested.
    expect(second.output.err).toContain('--port greeting=0 for this mock alone')
    await rpc.close()
  })

  test.each([
    [['imags'], 'Did you mean images?'],
    [['tools', '--transport', 'http'], 'one of streamable_http, sse, stdio, not http'],
    [['images', '--transport', 'sse'], 'only be used with the mock tools'],
    [['tools', '--transport', 'sse', '--stateless'], '--stateless needs streamable HTTP'],
    [['hooks', '--everything'], '--everything can only be used with the mock tools'],
    [['hooks', '--audit-log', 'x'], '--audit-log can only be used with the mock tools'],
    [['tools', '--audit-log', '.'], '--audit-log . cannot be written: it is a folder'],
    [['--transport', 'stdio'], 'with the tool server alone'],
    [['tools', 'hooks', '--transport', 'stdio'], 'with the tool server alone'],
    [['tools', '--transport', 'stdio', '--port', '0'], 'cannot be combined with --port'],
    [['tools', '--transport', 'stdio', '--json'], 'cannot be combined with --json'],
    [['--port', 'acount=1'], 'Did you mean account?'],
    [['--port', 'x'], 'neither a port'],
    [['--port', '65534'], 'above 65535'],
    [['--port', '5000', '--port', 'batch=5000'], 'port 5000 is assigned to'],
    [['--max-file-bytes', '5'], '--max-file-bytes needs --stateful'],
    [['--stateful', '--max-file-bytes', 'x'], '--max-file-bytes must be a whole number'],
    [['images', '--seed', 'x.yaml'], '--seed needs --stateful for images and hooks'],
    [['receiver', '--seed', 'x.yaml'], 'only be used with the mocks images, hooks and tools'],
    [['tools', '--seed', 'absent.yaml'], 'absent.yaml cannot be read: there is no such file'],
    [['images', '--latency', '5-'], '--latency must be a number of milliseconds, or a range'],
    [['images', '--latency', '9-5'], 'a range such as 20-200, not 9-5'],
    [['images', '--failure-rate', '1.5'], '--failure-rate must be from 0 to 1, not 1.5'],
    [['images', '--failure-rate', 'x'], 'from 0 to 1, not x'],
    [['tools', '--failure-rate', '0.5'], 'can only be used with the mocks images and hooks'],
    [['receiver', '--secret', ' a'], 'a valid header value'],
    [['hoks'], 'Did you mean hooks?'],
    [['greeting', '--token', 'a b'], 'printable ASCII'],
    [['tools', '--no-cors'], '--no-cors can only be used with the mocks images and hooks'],
    [['images', '--allow-origin', 'http://a.example'], 'can only be used with the mock tools'],
    [['tools', '--allow-origin', '*'], 'such as http://localhost:5173; there is no wildcard'],
    [['tools', '--allow-origin', 'http://A.example/x'], 'such as http://a.example; it is'],
    [['greeting', '--client-ca', 'absent.pem'], 'no such file'],
    [['--port', '5000', '--port', 'receiver=5001'], 'port 5001 is assigned to'],
  ])('%j is a usage error', async (args, text) => {
    const program = new Command('touchstone')
    describeMockCommand(program.command('mock'))
    const error = await program
      .parseAsync(['mock', ...args], { from: 'user' })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toContain(text)
  })
})
