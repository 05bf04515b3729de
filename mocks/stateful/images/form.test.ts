import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFixture, pixel, sendRaw, type ImagesFixture } from './images.testing.ts'

const maxFileBytes = 1_000_000
let fixture: ImagesFixture
beforeAll(async () => {
  fixture = await startFixture({ maxFileBytes })
})
afterAll(() => fixture.server.close())

const path = () => new URL(`${fixture.server.accountUrl}/accounts/acc-1/images/v1`).pathname
const head = (rest: string, type = 'multipart/form-data; boundary=b') =>
  `POST ${path()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer images-token\r\nContent-Type: ${type}\r\n${rest}\r\n\r\n`
const post = (body: string | Buffer, type?: string) => {
  const bytes = Buffer.from(body as string, 'latin1')
  return sendRaw(
    fixture.server.accountUrl,
    Buffer.concat([
      Buffer.from(head(`Connection: close\r\nContent-Length: ${bytes.length}`, type)),
      bytes,
    ]),
    { waitMs: 2500 },
  )
}
const part = (disposition: string, body = 'x') =>
  `--b\r\nContent-Disposition: ${disposition}\r\n\r\n${body}\r\n`

test('accepts exactly the maximum size', async () => {
  expect((await fixture.upload({}, Buffer.alloc(maxFileBytes))).status).toBe(200)
  const over = await fixture.upload({}, Buffer.alloc(maxFileBytes + 1))
  expect([over.status, over.body.success]).toEqual([413, false])
})

test('returns 413 while an endless file is being sent', async () => {
  const port = Number(new URL(fixture.server.accountUrl).port)
  let sent = 0
  const response = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head('Transfer-Encoding: chunked'))
      const chunk = (data: string | Buffer) =>
        Buffer.concat([
          Buffer.from(`${data.length.toString(16)}\r\n`),
          Buffer.from(data as string),
          Buffer.from('\r\n'),
        ])
      socket.write(
        chunk('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
      )
      const block = chunk(Buffer.alloc(65536))
      const timer = setInterval(() => {
        if (socket.writable) {
          socket.write(block)
          sent += 65536
        }
      }, 1)
      socket.on('close', () => clearInterval(timer))
    })
    socket
      .once('data', (data) => {
        resolve(data.toString())
        socket.destroy()
      })
      .on('error', reject)
  })
  expect(response).toMatch(/^HTTP\/1.1 413 [\s\S]*Connection: close[\s\S]*"success":false/)
  expect(sent).toBeLessThan(maxFileBytes * 8)
})

test('a client that reads only after sending everything also receives the 413', async () => {
  const big = Buffer.concat([
    Buffer.from(part('form-data; name="file"; filename="a"', 'x'.repeat(3_000_000))),
    Buffer.from('--b--\r\n'),
  ])
  expect(await post(big)).toMatch(/^HTTP\/1.1 413 /)
})

test.each([
  ['no boundary', part('form-data; name="file"; filename="a"'), 'multipart/form-data'],
  ['another content type', '{}', 'application/json'],
  ['an empty body', ''],
  ['no part', 'garbage'],
  ['only the end', '--b--\r\n'],
  ['a body that ends in a header', '--b\r\nContent-Dispo'],
  [
    'a body that ends in a file',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
  ],
  [
    'a body that ends within a field',
    '--b\r\nContent-Disposition: form-data; name="url"\r\n\r\nabc',
  ],
  ['a part without a name', `${part('form-data; filename="a"')}--b--\r\n`],
  ['a part without a disposition', '--b\r\n\r\nx\r\n--b--\r\n'],
  [
    'bare line feeds',
    '--b\nContent-Disposition: form-data; name="file"; filename="a"\n\nx\n--b--\n',
  ],
  [
    'a boundary that differs from the header',
    `${part('form-data; name="file"; filename="a"').replace('--b', '--c')}--c--\r\n`,
  ],
  [
    'a field that is too long',
    `${part('form-data; name="metadata"', 'x'.repeat(70_000))}--b--\r\n`,
  ],
  ['too many parts', `${part('form-data; name="a"').repeat(300)}--b--\r\n`],
])('refuses %s and keeps running', async (_what, body, type?: string) => {
  expect(await post(body, type)).toMatch(/^HTTP\/1.1 400 [\s\S]*"success":false/)
  expect((await fixture.call('GET', '/images/v2?per_page=1')).status).toBe(200)
})

test('keeps running after randomly damaged bodies', async () => {
  const whole = Buffer.concat([
    Buffer.from(
      `${part('form-data; name="id"', 'fuzz')}--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    pixel,
    Buffer.from('\r\n--b--\r\n'),
  ])
  let seed = 7
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % n
  }
  const responses = await Promise.all(
    Array.from({ length: 150 }, () => {
      const bytes = Buffer.from(whole)
      for (let i = 0; i < 1 + random(6); i++) bytes[random(bytes.length)] = random(256)
      return post(bytes.subarray(0, random(3) === 0 ? random(bytes.length) : bytes.length))
    }),
  )
  expect(responses.filter((response) => !/^HTTP\/1.1 (200|400) /.test(response))).toEqual([])
  expect((await fixture.call('GET', '/images/v2?per_page=1')).status).toBe(200)
})

test('keeps the connection after a refusal with a short body', async () => {
  const body = part('form-data; name="file"; filename="a"')
  const bad = head(`Content-Length: ${body.length}`).replace('images-token', 'unknown') + body
  const responses = await sendRaw(fixture.server.accountUrl, bad + bad, { waitMs: 300 })
  expect(responses.match(/HTTP\/1.1 401/g)).toHaveLength(2)
})
