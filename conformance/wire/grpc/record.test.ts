import { afterEach, describe, expect, test } from 'vitest'
import { echo, endAll, sendAll, small } from './small-server.testing.ts'

afterEach(endAll)

describe('a record', () => {
  const format = {
    request: (bytes: Uint8Array) => JSON.stringify({ name: Buffer.from(bytes).toString() }),
    response: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
  }

  test('shows the messages of both sides without secrets, and a command that repeats the call', async () => {
    const { client, channel, server } = await small(echo, {
      metadata: { authorization: 'Bearer hush-hush' },
      secrets: { TOKEN: 'hush-hush' },
    })
    const stream = channel.call({ operation: 'greet', path: '/a.B/C', format: format })
    await sendAll(stream, ['Ada', "O'Brien", 'hush-hush'])
    const record = stream.exchange.record()
    expect(record).toMatchObject({
      operation: 'greet',
      request: {
        method: 'POST',
        url: `http://${server.address}/a.B/C`,
        body: '{"name":"Ada"}\n{"name":"O\'Brien"}\n{"name":"$TOKEN"}',
      },
      response: { status: 200, body: "Ada\nO'Brien\n$TOKEN" },
    })
    expect(record.response?.headers).toContainEqual(['grpc-status', '0'])
    expect(record.curl).toBe(
      `grpcurl -plaintext -H "authorization: Bearer $TOKEN" -d '{"name":"Ada"} {"name":"O'\\''Brien"} {"name":"'"$TOKEN"'"}' ${server.address} a.B/C`,
    )
    expect(JSON.stringify(record)).not.toContain('hush-hush')
    client.close()
  })

  test('is bounded, and shows bytes that are not a message', async () => {
    const { channel } = await small(echo)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C', format: format })
    await sendAll(
      stream,
      Array.from({ length: 3000 }, () => 'x'.repeat(100)),
    )
    const record = stream.exchange.record()
    expect(JSON.stringify(record).length).toBeLessThan(200_000)
    expect(record.response?.body).toMatch(/… and 2950 more$/)
    const raw = channel.call({ operation: 'greet', path: '/a.B/C', format: format })
    await raw.sendRaw(Buffer.from([0, 0, 0, 0, 1, 255]))
    raw.halfClose()
    await raw.drain()
    expect(raw.exchange.record()).toMatchObject({
      request: { body: 'base64:AAAAAAH/' },
      curl: expect.stringContaining("printf '\\000\\000\\000\\000\\001\\377' | curl") as string,
    })
  })
})
