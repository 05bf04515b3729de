import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { defaultRules, setHeader, type JsonRpc, type ToolsOptions } from '../tools.ts'
import {
  initializeRequest,
  connectClient,
  post,
  startServer,
  openSession,
} from './tools.testing.ts'

const statusCall = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'shelf_show_status', arguments: {}, _meta: { progressToken: 'p' } },
})

/** Returns everything that stdio writes for these lines. */
async function stdioOutput(options: ToolsOptions, ...lines: string[]): Promise<string> {
  const server = await startServer(options)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { closed } = server.serveStdio(input, output)
  input.end(lines.map((line) => `${line}\n`).join(''))
  let out = ''
  for await (const chunk of output) out += String(chunk)
  await closed
  return out
}

const pingLine = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

describe('a deviation', () => {
  test('changes definitions', async () => {
    const { client } = await connectClient(
      await startServer({
        definition: (tool) => ({ ...tool, description: tool.name.toUpperCase() }),
      }),
    )
    expect((await client.listTools()).tools[0]?.description).toBe('SHELF_SEARCH_BOOKS')
  })

  test('wraps calls, with default arguments', async () => {
    const { text } = await connectClient(
      await startServer({
        async around({ args, tool }, next) {
          const { content } = await next()
          return {
            content: [
              { type: 'text', text: `${tool.name} ${JSON.stringify(args)} ${content.length}` },
            ],
          }
        },
      }),
    )
    expect(await text('show_status')).toBe('shelf_show_status {"response_format":"markdown"} 1')
  })

  test('wraps calls before validation', async () => {
    const { text } = await connectClient(
      await startServer({
        aroundValidation: (call, next) => {
          call.rawArguments = { id: 'b-001' }
          return next()
        },
      }),
    )
    expect(await text('get_book', { id: 'nonsense' })).toContain('(b-001)')
  })

  test('that throws is reported as an unexpected error', async () => {
    const { call } = await connectClient(
      await startServer({
        around: () => {
          throw new RangeError('far')
        },
      }),
    )
    expect(await call('show_status')).toMatchObject({
      isError: true,
      content: [{ text: 'Error: Unexpected error of type RangeError.' }],
    })
  })

  test('replaces rules', async () => {
    const { text } = await connectClient(
      await startServer({
        rules: {
          pageOf: (all, limit, offset) => ({
            ...defaultRules.pageOf(all, limit, offset),
            total: 7,
          }),
        },
      }),
    )
    expect(JSON.parse(await text('list_readers', { response_format: 'json' }))).toMatchObject({
      total: 7,
      count: 20,
    })
  })

  test('intercepts HTTP requests', async () => {
    const server = await startServer({
      intercept: (request, response, next) =>
        request.method === 'DELETE' ? void response.writeHead(418).end() : next(),
    })
    expect((await fetch(server.mcp, { method: 'DELETE' })).status).toBe(418)
    expect((await post(server, initializeRequest())).status).toBe(200)
  })

  test('changes request headers', async () => {
    const own: { session?: string } = {}
    const server = await startServer({
      intercept(request, _response, next) {
        if (own.session !== undefined) setHeader(request, 'mcp-session-id', own.session)
        setHeader(request, 'mcp-protocol-version', undefined)
        next()
      },
    })
    own.session = await openSession(server)
    expect(
      (
        await post(server, statusCall(1), {
          'mcp-session-id': 'unknown',
          'mcp-protocol-version': 'none',
        })
      ).status,
    ).toBe(200)
  })

  test('changes the id of a response, on every transport', async () => {
    const message = (direction: string, sent: JsonRpc) =>
      direction === 'out' && 'result' in sent ? { ...sent, id: 'other' } : sent
    const server = await startServer({ message })
    expect((await post(server, initializeRequest())).json).toMatchObject({
      id: 'other',
      result: { serverInfo: {} },
    })
    expect(JSON.parse(await stdioOutput({ message }, pingLine))).toEqual({
      jsonrpc: '2.0',
      id: 'other',
      result: {},
    })
  })

  test('sends further messages before and after a response', async () => {
    const aside = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 9 },
    }
    const server = await startServer({
      message: (direction, sent) =>
        direction === 'out' && 'result' in sent ? [aside, sent, sent, aside] : sent,
    })
    const { text } = await post(server, statusCall(5), {
      'mcp-session-id': await openSession(server),
    })
    const ids = text
      .split('\n')
      .flatMap((line) =>
        line.startsWith('data: ') ? [(JSON.parse(line.slice(6)) as JsonRpc)['id']] : [],
      )
    expect(ids).toEqual([undefined, 5, 5, undefined])
  })

  test('drops messages', async () => {
    const seen: unknown[] = []
    const server = await startServer({
      message(direction, sent, { transport, session }) {
        seen.push([direction, transport, session === undefined, sent['method'] ?? 'answer'])
        return sent['method'] === 'notifications/initialized' ? undefined : sent
      },
    })
    const session = await openSession(server)
    expect(
      (
        await post(
          server,
          { jsonrpc: '2.0', method: 'notifications/initialized' },
          { 'mcp-session-id': session },
        )
      ).status,
    ).toBe(202)
    expect(seen).toEqual([
      ['in', 'http', true, 'initialize'],
      ['out', 'http', false, 'answer'],
      ['in', 'http', false, 'notifications/initialized'],
    ])
  })

  test('changes lines of stdio, down to their bytes', async () => {
    expect(await stdioOutput({ lines: (line) => `noise ${line}` }, pingLine)).toBe(
      `noise {"result":{},"jsonrpc":"2.0","id":1}\n`,
    )
    expect(await stdioOutput({ lines: (line) => Buffer.from(line.slice(0, 9)) }, pingLine)).toBe(
      '{"result"',
    )
    expect(await stdioOutput({ lines: () => undefined }, pingLine)).toBe('')
  })
})

describe('stdio', () => {
  test('answers malformed lines, and keeps serving', async () => {
    const out = await stdioOutput(
      { rules: { maxMessageBytes: 100 } },
      '{',
      '[]',
      '{"id": 1}',
      '',
      `"${'x'.repeat(200)}"`,
      pingLine,
    )
    const codes = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { error?: { code: number } }).error?.code)
    expect(codes).toEqual([-32700, -32600, -32600, -32600, undefined])
  })

  test('can ignore malformed lines', async () => {
    expect(await stdioOutput({ choices: { malformedLines: 'silence' } }, '{', pingLine)).toBe(
      '{"result":{},"jsonrpc":"2.0","id":1}\n',
    )
  })
})
