import { afterEach, describe, expect, it } from 'vitest'
import { processClock } from '../../engine/index.ts'
import { newTestClient, endAll, note, piped, result, served } from './mcp.testing.ts'

afterEach(endAll)

/** A timeout so long that nothing ends by itself. */
const withLongTimeout = { clock: processClock, timeout: 60_000 }

describe('closing', () => {
  it('ends all pending exchanges at once, on each transport', async () => {
    const asked: string[] = []
    const http = await served(({ method, url, stream }) => {
      asked.push(`${method} ${url}`)
      if (url === '/sse') stream()
    })
    const client = newTestClient(
      { http: `${http}/mcp`, sse: `${http}/sse`, stdio: piped(() => asked.push('line')) },
      withLongTimeout,
    )
    const [streamable, lines] = await Promise.all([client.connect('http'), client.connect('stdio')])
    const opening = client.connect('sse')
    const waiting = [
      streamable.request('x'),
      streamable.listen(),
      lines.request('y'),
      client.http({ method: 'PUT' }),
    ]
    const held = streamable.until(() => false, 60_000)
    while (asked.length < 5) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(asked.toSorted()).toEqual(['GET /mcp', 'GET /sse', 'POST /mcp', 'PUT /mcp', 'line'])
    await client.close()
    expect(
      (await Promise.all(waiting)).map((exchange) => [exchange!.failure, exchange!.why]),
    ).toEqual(Array.from({ length: 4 }, () => ['closed', 'the client closed the connection']))
    expect([await held, lines.exit]).toEqual([
      false,
      { by: 'input', code: 0, signal: undefined, milliseconds: expect.any(Number) as number },
    ])
    expect((await opening).failure).toBe('closed')
  })

  it('ends streams that continue after the response', async () => {
    let gone: () => void = () => {}
    const over = new Promise<void>((resolve) => (gone = resolve))
    const http = await served(({ json, stream, response }) => {
      const say = stream()
      say(result(json.id))
      const drip = setInterval(() => say(note('notifications/progress')), 10)
      response.on('close', () => {
        clearInterval(drip)
        gone()
      })
    })
    const connection = await newTestClient({ http }, withLongTimeout).connect('http')
    const exchange = await connection.request('x')
    expect(await connection.until(() => exchange.notifications.length >= 3, 10_000)).toBe(true)
    await connection.close()
    await Promise.all([over, exchange.ended])
    expect(exchange).toMatchObject({ result: {}, failure: undefined, problems: [] })
  })

  it('sends SIGTERM to the replacement of a subprocess, if it keeps running', async () => {
    const connection = await newTestClient({
      stdio: piped(
        () => {},
        () => {},
      ),
    }).connect('stdio')
    await connection.close()
    expect(connection.exit).toMatchObject({ by: 'SIGTERM', signal: 'SIGTERM' })
    expect(connection.exit!.milliseconds).toBeGreaterThanOrEqual(4900)
  })
})
