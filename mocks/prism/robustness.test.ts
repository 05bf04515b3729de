import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxBodyBytes } from './body.ts'
import { startContractImages, type ContractImagesServer } from './images.ts'

let mock: ContractImagesServer
const crashes: unknown[] = []
const crashed = (reason: unknown) => {
  crashes.push(reason)
}

beforeAll(async () => {
  process.on('uncaughtException', crashed).on('unhandledRejection', crashed)
  mock = await startContractImages()
})
afterAll(async () => {
  await mock.close()
  process.off('uncaughtException', crashed).off('unhandledRejection', crashed)
})

const authorization = 'Bearer images-token'
const folder = '/accounts/acc-1/images'

/** Sends raw bytes, and returns the status and the body of the response. */
function raw(
  url: string,
  lines: string[],
  body: Buffer | string = '',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const chunks: Buffer[] = []
    socket
      .on('data', (chunk) => chunks.push(chunk))
      .on('error', reject)
      .on('close', () => {
        const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n')
        resolve({ status: Number(head.split(' ')[1]), text: rest.join('\r\n\r\n') })
      })
    socket.write(
      Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]),
    )
    socket.setTimeout(4000, () => socket.destroy(new Error('no response')))
  })
}

function post(
  path: string,
  contentType: string | undefined,
  body: Buffer | string,
  base = mock.accountUrl,
): Promise<{ status: number; text: string }> {
  const root = new URL(base).pathname.replace(/\/$/, '')
  const type = contentType === undefined ? [] : [`Content-Type: ${contentType}`]
  return raw(
    base,
    [
      `POST ${root}${path} HTTP/1.1`,
      'Host: x',
      `Authorization: ${authorization}`,
      'Connection: close',
      ...type,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ],
    body,
  )
}

function expectEnvelope(
  { status, text }: { status: number; text: string },
  expected: number,
): void {
  expect([status, JSON.parse(text)]).toEqual([
    expected,
    {
      success: false,
      errors: [{ code: expect.any(Number), message: expect.any(String) }],
      messages: [],
      result: null,
    },
  ])
}

const part =
  'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
const forms: [string, string | undefined, string | Buffer][] = [
  ['no body', 'multipart/form-data; boundary=b', ''],
  ['no boundary', 'multipart/form-data', `--b\r\n${part}x\r\n--b--\r\n`],
  ['an empty boundary', 'multipart/form-data; boundary=', `--\r\n${part}x\r\n----\r\n`],
  [
    'a boundary that differs from the header',
    'multipart/form-data; boundary=c',
    `--b\r\n${part}x\r\n--b--\r\n`,
  ],
  ['no end', 'multipart/form-data; boundary=b', `--b\r\n${part}x`],
  [
    'an end within a header',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-da',
  ],
  ['only an end', 'multipart/form-data; boundary=b', '--b--\r\n'],
  ['a part without headers', 'multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--\r\n'],
  [
    'a part without a name',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n--b--\r\n',
  ],
  [
    'a broken disposition',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: ;;;="\r\n\r\nx\r\n--b--\r\n',
  ],
  [
    'arbitrary bytes',
    'multipart/form-data; boundary=b',
    Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 193) % 256)),
  ],
  ['only NUL bytes', 'multipart/form-data; boundary=b', Buffer.alloc(4096)],
  [
    'ten thousand parts',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n'.repeat(10_000) + '--b--\r\n',
  ],
  [
    'megabytes of text',
    'multipart/form-data; boundary=b',
    Array.from(
      { length: 150 },
      (_, i) =>
        `--b\r\nContent-Disposition: form-data; name="x${i}"\r\n\r\n${'y'.repeat(60_000)}\r\n`,
    ).join('') + '--b--\r\n',
  ],
  [
    'a huge part header',
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="${'x'.repeat(100_000)}"\r\n\r\n1\r\n--b--\r\n`,
  ],
  ['a JSON body', 'application/json', '{"url":"https://pictures.example/a.png"}'],
  ['no content type', undefined, 'x'],
  [
    'a UTF-16 text field that ends within a character',
    'multipart/form-data; boundary=b',
    Buffer.concat([
      Buffer.from(
        '--b\r\nContent-Disposition: form-data; name="url"\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n',
      ),
      Buffer.from([0x00, 0xd8]),
      Buffer.from('\r\n--b--\r\n'),
    ]),
  ],
]

describe('the contract mock', () => {
  test.each(forms)(
    'returns a failure envelope if a form is required and the request has %s',
    async (_name, type, body) => {
      expectEnvelope(await post(`${folder}/v1`, type, body), 400)
      expectEnvelope(await post('/ticket', type, body, mock.uploadUrl), 400)
    },
  )

  test.each([
    ['truncated', '{"id":"a"', 'application/json'],
    ['empty', '', 'application/json'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json'],
    ['a list', '[]', 'application/json'],
    ['null', 'null', 'application/json'],
    [
      'deeply nested',
      `{"metadata":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`,
      'application/json',
    ],
    ['a form without a boundary', `--b\r\n${part}x\r\n--b--\r\n`, 'multipart/form-data'],
    ['XML', '<a/>', 'application/xml'],
    ['of an invalid type', '{}', ';;;'],
  ])(
    'returns a failure envelope if the body should be JSON but is %s',
    async (_name, body, type) => {
      expectEnvelope(await post(`${folder}/v2/direct_upload`, type, body), 400)
    },
  )

  test.each([
    ['GET', '/'],
    ['GET', '/client/v4'],
    ['GET', '/client/v4/accounts/acc-1/images/v3'],
    ['PUT', `/client/v4${folder}/v1`],
    ['POST', `/client/v4${folder}/v1/`],
    ['OPTIONS', `/client/v4${folder}/v1`],
    ['TRACE', `/client/v4${folder}/v2`],
    ['OPTIONS', '*'],
    ['DELETE', `/client/v4${folder}/v2`],
    ['GET', '/%zz/%00'],
  ])('returns a failure envelope for %s %s, which is not an operation', async (method, path) => {
    expectEnvelope(
      await raw(mock.accountUrl, [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close']),
      path === '*' ? 400 : 404,
    )
  })

  test.each([
    ['a huge header', ['GET / HTTP/1.1', 'Host: x', `X: ${'y'.repeat(100_000)}`]],
    ['a NUL in a header', ['GET / HTTP/1.1', 'Host: x', 'X: a\0b']],
    ['a NUL in the target', ['GET /\0 HTTP/1.1', 'Host: x']],
    ['bytes that are not HTTP', ['hello']],
    ['two lengths', ['POST / HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2']],
    ['an invalid host', ['GET / HTTP/1.1', 'Host: a b/c', 'Connection: close']],
    ['no host', ['GET / HTTP/1.1', 'Connection: close']],
  ])('returns a failure envelope for a request with %s', async (_name, lines) => {
    expectEnvelope(await raw(mock.accountUrl, lines), 400)
  })

  test('accepts an id that cannot be percent-decoded', async () => {
    const { status, text } = await raw(mock.accountUrl, [
      `GET /client/v4${folder}/v1/%zz%00 HTTP/1.1`,
      'Host: x',
      `Authorization: ${authorization}`,
      'Connection: close',
    ])
    expect([status, JSON.parse(text).success]).toEqual([200, true])
  })

  test('refuses with status 413 a body above the limit', async () => {
    const body = Buffer.alloc(maxBodyBytes + 1)
    const response = await fetch(`${mock.accountUrl}${folder}/v1`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'multipart/form-data; boundary=b' },
      body,
    })
    expectEnvelope({ status: response.status, text: await response.text() }, 413)
  })

  test('keeps running when clients disconnect while they send', async () => {
    const head = `POST /client/v4${folder}/v1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n`
    for (let i = 0; i < 20; i += 1)
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(mock.accountUrl).port), '127.0.0.1', () =>
          socket.write(head, () => {
            socket.destroy()
            resolve()
          }),
        )
      })
  })

  test('accepts a valid request after all these tests, and has not crashed', async () => {
    const form = new FormData()
    form.set('file', new Blob(['x']), 'a.png')
    form.set('%zz"\r\n', 'a name that Prism could not read')
    const response = await fetch(`${mock.accountUrl}${folder}/v1`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    expect(response.status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(crashes).toEqual([])
  })
})
