import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeUpstream, type FakeUpstreamOptions } from './upstream.ts'

const open: FakeUpstream[] = []
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close()
})

async function started(options?: FakeUpstreamOptions): Promise<FakeUpstream> {
  const upstream = await FakeUpstream.start(options)
  open.push(upstream)
  return upstream
}

interface ReceivedResponse {
  status: number
  headers: Record<string, unknown>
  text: string
}

const send = (
  url: string,
  { method = 'GET', body, signal }: { method?: string; body?: string; signal?: AbortSignal } = {},
): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      { method, agent: false, headers: { 'X-Asked': 'yes' }, ...(signal && { signal }) },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, text }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })

describe('a fake upstream', () => {
  it('responds with the configured status, and records requests', async () => {
    const upstream = await started()
    upstream.mode = { status: 429, headers: { 'Retry-After': '7' } }
    const got = await send(`${upstream.url}/books?q=a%20b&q=c`, { method: 'POST', body: '{"a":1}' })
    expect(got).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7', 'content-type': 'application/json' },
      text: '{"message":"Too Many Requests"}',
    })
    upstream.mode = { status: 404, body: 'gone' }
    expect(await send(`${upstream.url}/books/1`)).toMatchObject({ status: 404, text: 'gone' })
    upstream.mode = { status: 204 }
    expect(await send(upstream.url, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' })
    expect(
      upstream.requests.map(({ method, path, query, body, status }) => [
        method,
        path,
        query,
        body,
        status,
      ]),
    ).toEqual([
      ['POST', '/books', 'q=a%20b&q=c', '{"a":1}', 429],
      ['GET', '/books/1', '', '', 404],
      ['DELETE', '/', '', '', 204],
    ])
    expect(upstream.requests[0]).toMatchObject({
      headers: { 'x-asked': 'yes' },
      mode: { status: 429 },
      abortedAt: undefined,
    })
  })

  it('hangs until the client gives up or it is closed, and records when', async () => {
    const upstream = await started()
    upstream.mode = 'hang'
    const ended = new AbortController()
    const slow = expect(send(`${upstream.url}/slow`, { signal: ended.signal })).rejects.toThrow()
    while (upstream.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    ended.abort()
    await slow
    const hanging = send(`${upstream.url}/slower`)
    const lost = expect(hanging).rejects.toThrow('socket hang up')
    while (upstream.requests.length < 2 || upstream.requests[0]!.abortedAt === undefined)
      await new Promise((resolve) => setTimeout(resolve, 5))
    const [first, second] = upstream.requests
    expect(first!.abortedAt).toBeGreaterThanOrEqual(first!.at)
    expect([first!.status, second!.abortedAt]).toEqual([undefined, undefined])
    await upstream.close()
    await lost
  })

  it('stalls in the middle of a response', async () => {
    const upstream = await started()
    upstream.mode = 'stall'
    const response = await fetch(upstream.url)
    expect(response.status).toBe(200)
    const { value } = await response.body!.getReader().read()
    expect(Buffer.from(value!).toString()).toBe('{"touchstone":')
  })

  it('resets connections, and sends garbage', async () => {
    const upstream = await started()
    upstream.mode = 'reset'
    await expect(send(upstream.url)).rejects.toMatchObject({ code: 'ECONNRESET' })
    upstream.mode = 'garbage'
    const got = await send(upstream.url)
    expect(got).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(() => JSON.parse(got.text) as unknown).toThrow(SyntaxError)
    expect(upstream.requests.map(({ mode, status }) => [mode, status])).toEqual([
      ['reset', undefined],
      ['garbage', 200],
    ])
  })

  it('forwards requests to the real upstream, below its path', async () => {
    const truth = await started()
    truth.mode = { status: 201, body: { id: 'b-1' }, headers: { 'X-Truth': 'yes' } }
    const upstream = await started({ forward: `${truth.url}/api/` })
    const got = await send(`${upstream.url}/books?x=1`, { method: 'PUT', body: 'text' })
    expect(got).toMatchObject({ status: 201, headers: { 'x-truth': 'yes' }, text: '{"id":"b-1"}' })
    expect(truth.requests).toMatchObject([
      {
        method: 'PUT',
        path: '/api/books',
        query: 'x=1',
        body: 'text',
        headers: { 'x-asked': 'yes' },
      },
    ])
    await truth.close()
    expect(await send(upstream.url)).toMatchObject({ status: 502 })
    expect(await send((await started()).url)).toMatchObject({
      status: 502,
      text: '{"message":"there is no real upstream"}',
    })
  })

  it('repeats recorded GET requests at the real upstream', async () => {
    const truth = await started()
    truth.mode = { status: 200, body: { id: 'b-1' } }
    const upstream = await started({ forward: truth.url })
    await send(`${upstream.url}/books/b-1?x=1`)
    await send(`${upstream.url}/books`, { method: 'POST', body: '{}' })
    const [get, post] = upstream.requests
    expect(await upstream.readReal(get!, 1000)).toEqual({ id: 'b-1' })
    expect(truth.requests.at(-1)).toMatchObject({
      path: '/books/b-1',
      query: 'x=1',
      headers: { 'x-asked': 'yes' },
    })
    expect(await upstream.readReal(post!, 1000)).toBeUndefined()
    truth.mode = 'garbage'
    expect(await upstream.readReal(get!, 1000)).toBeUndefined()
    expect(truth.requests).toHaveLength(4)
    expect(await (await started()).readReal(get!, 1000)).toBeUndefined()
  })

  it('reads resources before they change, and keeps the body of a response with status 201', async () => {
    const truth = await started()
    const upstream = await started({ forward: truth.url })
    truth.mode = { status: 200, body: { id: 1 } }
    await send(`${upstream.url}/books/1`, { method: 'PUT', body: '{}' })
    await upstream.withStates(1000, async () => {
      await send(`${upstream.url}/books/2`, { method: 'DELETE' })
      truth.mode = { status: 201, body: { id: 3 } }
      await send(`${upstream.url}/books`, { method: 'POST', body: '{}' })
    })
    expect(
      upstream.requests.map(({ path, stateBefore, createdBody }) => [
        path,
        stateBefore,
        createdBody,
      ]),
    ).toEqual([
      ['/books/1', undefined, undefined],
      ['/books/2', { status: 200, body: '{"id":1}' }, undefined],
      ['/books', undefined, '{"id":3}'],
    ])
    expect(truth.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PUT /books/1',
      'GET /books/2',
      'DELETE /books/2',
      'POST /books',
    ])
    const [put] = upstream.requests
    expect(await upstream.readState(put!, '/books/4', 1000)).toEqual({
      status: 201,
      body: '{"id":3}',
    })
    expect(truth.requests.at(-1)?.headers['x-asked']).toBe('yes')
  })

  it('has its public URL, and rejects URLs other than http and https', async () => {
    expect((await started({ publicUrl: 'https://up.example/base/' })).url).toBe(
      'https://up.example/base',
    )
    await expect(FakeUpstream.start({ forward: 'ftp://x' })).rejects.toThrow(
      '"ftp://x" is not a URL of an upstream',
    )
    await expect(FakeUpstream.start({ listen: 'nowhere' })).rejects.toThrow(
      'not an address to listen on',
    )
  })

  it('overrides the mode for single requests, up to a number of times or until stopped', async () => {
    const upstream = await started()
    upstream.mode = { status: 200 }
    const twice = upstream.override({ status: 404 }, { method: 'GET', path: '/books/1', times: 2 })
    const always = upstream.override({ status: 503 }, { method: 'GET', path: '/books/1' })
    const statuses = []
    for (const [path, method = 'GET'] of [
      ['/books/2'],
      ['/books/1', 'PUT'],
      ['/books/1?a=1'],
      ['/books/1'],
      ['/books/1'],
    ] as const)
      statuses.push((await send(`${upstream.url}${path}`, { method })).status)
    await twice.exhausted
    always.stop()
    statuses.push((await send(`${upstream.url}/books/1`)).status)
    expect(statuses).toEqual([200, 200, 404, 404, 503, 200])
    expect([twice.count, always.count]).toEqual([2, 1])
    expect(upstream.requests.at(-2)).toMatchObject({ mode: { status: 503 }, status: 503 })
  })
})
