import { execFile } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, newTestClient, endAll, failed, note, piped, result, served } from './mcp.testing.ts'

afterEach(endAll)

const secrets = { TOOLS_TOKEN: 'sesame-sesame-open' }
const run = (line: string): Promise<string> =>
  new Promise((resolve) =>
    execFile('sh', ['-c', line], { env: { ...process.env, ...secrets } }, (_, stdout) =>
      resolve(stdout),
    ),
  )

describe('the record of an exchange', () => {
  it('contains only the beginning of long headers', async () => {
    const http = await served(({ json, reply }) => reply(result(json.id, {})))
    const connection = await newTestClient({ http }, { secrets }).connect('http')
    const long = { 'X-Long': 'x'.repeat(1_000_000) }
    const exchange = await connection.request('ping', {}, { headers: long })
    expect(JSON.stringify(exchange.record()).length).toBeLessThan(20_000)
  })

  it('hides secrets, and has a command that sends the same over HTTP', async () => {
    const seen: string[] = []
    const http = await served(({ text, headers, json, reply }) => {
      seen.push(`${headers.authorization} ${headers['mcp-session-id']} ${headers.accept} ${text}`)
      reply(result(json.id, { token: 'sesame-sesame-open' }), 200, { 'Mcp-Session-Id': "it's" })
    })
    const connection = await newTestClient(
      { http, headers: { Authorization: 'Bearer sesame-sesame-open' } },
      { secrets },
    ).connect('http')
    connection.sessionId = "it's"
    const exchange = await connection.request('tools/call', { name: "a'b $HOME" })
    const record = exchange.record()
    expect(record).toMatchObject({
      number: 1,
      operation: 'tools/call',
      request: {
        method: 'POST',
        url: http,
        headers: { Authorization: 'Bearer $TOOLS_TOKEN', 'Mcp-Session-Id': "it's" },
        body: exchange.sent.text,
      },
      response: { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":{"token":"$TOOLS_TOKEN"}}' },
    })
    expect(record.failure).toBeUndefined()
    expect(exchange.summary).toBe('result {"token":"$TOOLS_TOKEN"}')
    expect(JSON.stringify(record)).not.toContain('sesame')
    await run(record.curl)
    expect(seen).toHaveLength(2)
    expect(seen[1]).toBe(seen[0])
  })

  it('contains the messages of a subprocess, the problems, and why there is no response', async () => {
    const stdio = piped(({ method }, { say, end }) => {
      say(note('notifications/message', { level: 'info', data: 'sesame-sesame-open' }))
      say('noise\n')
      if (method === 'dies') end({ code: 1 })
    })
    const connection = await newTestClient({ stdio }, { secrets }).connect('stdio')
    const { request, response, failure, curl } = (await connection.request('dies')).record()
    expect(request).toEqual({
      method: 'stdio',
      url: 'server',
      headers: {},
      body: '{"jsonrpc":"2.0","id":1,"method":"dies"}',
    })
    expect(response).toEqual({
      status: 0,
      headers: [],
      body: '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"$TOOLS_TOKEN"}}\n! the output has a line that is not JSON: "noise"',
    })
    expect([failure, curl]).toEqual([
      'the process ended (exit code 1)',
      expect.stringMatching(/^\(printf '%s\\n' '\{.*"initialize".*"dies"\}'; sleep 5\) \| server$/),
    ])
    expect((await connection.request('again')).record()).not.toHaveProperty('response')
  })

  it('repeats a request to a real subprocess', async () => {
    const script = 'console.log(process.env.SHELF); process.stdin.pipe(process.stdout)'
    const stdio = { command: process.execPath, args: ['-e', script], env: { SHELF: "b'$HOME" } }
    const connection = await newTestClient({ stdio }, { secrets }).connect('stdio')
    const repeated = async (token: string) => {
      const exchange = await connection.request(
        'initialize',
        { text: 'a "b" $', token },
        { timeout: 600_000 },
      )
      expect(exchange.record().curl).not.toContain('sesame')
      expect(await run(exchange.record().curl.replace('sleep 5', 'sleep 0'))).toBe(
        `b'$HOME\n${exchange.sent.text}\n`,
      )
    }
    await repeated("it's $HOME")
    await repeated('sesame-sesame-open')
  })

  it('repeats earlier messages without a result if a message gets no response', async () => {
    const stdio = piped(({ id, method }, { say, end }) => {
      if (method === 'ping') say(result(id))
      if (method === 'dies') end({ code: 1 })
    })
    const connection = await newTestClient({ stdio }).connect('stdio')
    await connection.request('ping')
    await connection.send('{"half', { operation: 'half a message', timeout: 50 })
    const before = await connection.request('ping')
    const waiting = connection.request('waits')
    const fatal = await connection.request('dies')
    const after = await connection.request('ping')
    const linesOf = ({ curl }: { curl: string }) =>
      [...curl.matchAll(/'([^']*)'/g)].slice(3).map(([, line]) => line)
    const [half, waits, dies, ping] = [
      '{"half',
      '{"jsonrpc":"2.0","id":3,"method":"waits"}',
      '{"jsonrpc":"2.0","id":4,"method":"dies"}',
      '{"jsonrpc":"2.0","id":5,"method":"ping"}',
    ]
    expect(linesOf(before.record())).toEqual(['{"jsonrpc":"2.0","id":2,"method":"ping"}'])
    expect(linesOf((await waiting).record())).toEqual([half, waits, dies])
    expect(linesOf(fatal.record())).toEqual([half, waits, dies])
    expect(linesOf(after.record())).toEqual([half, waits, dies, ping])
    expect(after.record().isSelfContained).toBe(true)
  })

  it('is not self-contained if an earlier message without a result is not in the command', async () => {
    const isRepeatable = async (message: string | Uint8Array) => {
      const stdio = piped(() => {})
      const connection = await newTestClient({ stdio }).connect('stdio')
      await connection.send(message, { timeout: 50 })
      return (await connection.request('ping', {}, { timeout: 50 })).record().isSelfContained
    }
    expect(await isRepeatable('{"half')).toBe(true)
    expect(await isRepeatable(Buffer.from('"\xff"', 'latin1'))).toBeUndefined()
    expect(await isRepeatable(`"${'x'.repeat(5000)}`)).toBeUndefined()
    let isBroken = false
    const http = await served(({ json, text, reply, response }) => {
      if (isBroken) return void response.destroy()
      isBroken = text === '{"half'
      reply(failed(json.id, -32601))
    })
    const connection = await newTestClient({ http }).connect('http')
    const repeatable = async (message: unknown) =>
      (await connection.send(message)).record().isSelfContained
    expect(await repeatable(ask(1, 'unknown'))).toBe(true)
    expect(await repeatable('{"half')).toBe(true)
    expect(await repeatable(ask(2, 'ping'))).toBeUndefined()
  })

  it('contains messages of the event stream of HTTP+SSE together with the status of the POST', async () => {
    let write: (text: string) => void = () => {}
    const sse = await served(({ method, response, stream, json }) => {
      if (method === 'GET') {
        write = (text) => void response.write(text)
        stream()
        return write('event: endpoint\ndata: /m\n\n')
      }
      response.writeHead(202).end('Accepted')
      write(
        `data: ${JSON.stringify(note('notifications/progress'))}\n\ndata: ${JSON.stringify(failed(json.id, -32602))}\n\n`,
      )
    })
    const connection = await newTestClient({ sse }).connect('sse')
    const { response, curl } = (await connection.request('x')).record()
    expect(response).toMatchObject({
      status: 202,
      body: `${JSON.stringify(note('notifications/progress'))}\n${JSON.stringify(failed(1, -32602))}`,
    })
    expect(curl).toContain(`-d '{"jsonrpc":"2.0","id":1,"method":"x"}' '${sse}/m'   # while`)
  })
})

describe('the summary of an exchange', () => {
  const json = { 'Content-Type': 'application/json' }
  it.each([
    [403, json, '{"error": "invalid_token"}', 'HTTP 403 {"error": "invalid_token"}'],
    [400, json, '{"error": {"message": "bad"}}', 'HTTP 400 {"error": {"message": "bad"}}'],
    [401, json, '{"message": "token\\n expired"}', 'HTTP 401 {"message": "token\\n expired"}'],
    [401, { 'Content-Type': 'text/plain' }, 'expired', 'HTTP 401 expired'],
    [401, { 'Content-Type': 'text/html' }, '<h1>expired</h1>', 'HTTP 401'],
    [401, json, '', 'HTTP 401'],
    [403, json, '{"error": "sesame-sesame-open"}', 'HTTP 403 {"error": "$TOOLS_TOKEN"}'],
    [
      400,
      json,
      '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32600, "message": "no"}}',
      'HTTP 400, error -32600 "no"',
    ],
    [
      200,
      json,
      '{"jsonrpc": "2.0", "id": 1, "error": "no"}',
      '{"jsonrpc":"2.0","id":1,"error":"no"}; error must be an object, but is "no"',
    ],
    [
      200,
      json,
      '{"jsonrpc": "2.0", "id": 1, "error": {"code": -1}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-1}}; the message of an error must be a string, but is missing',
    ],
    [
      200,
      json,
      `{"jsonrpc": "2.0", "id": 1, "result": {"text": "${'x'.repeat(200)}", "count": 3}`,
      `no complete response: HTTP 200 without a response: the body is not JSON: it ends too early, after "…${'x'.repeat(46)}\\", \\"count\\": 3}"`,
    ],
  ])('shows the body of HTTP %i %j %s', async (status, headers, body, summary) => {
    const http = await served(({ response }) => void response.writeHead(status, headers).end(body))
    const connection = await newTestClient({ http }, { secrets }).connect('http')
    expect((await connection.request('ping')).summary).toBe(summary)
  })
})
