import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContractImages, type ContractImagesServer } from './images.ts'

let mock: ContractImagesServer
beforeAll(async () => {
  mock = await startContractImages()
})
afterAll(async () => {
  await mock.close()
})

const images = '/accounts/acc-1/images'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
type Envelope = { success: boolean; errors: { code: number }[]; result: Record<string, unknown> }

async function call(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Envelope }> {
  const response = await fetch(url, {
    ...init,
    headers: { ...bearer('images-token'), ...init.headers },
  })
  return { status: response.status, body: (await response.json()) as Envelope }
}

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

function form(parts: Record<string, string | Blob>): RequestInit {
  const body = new FormData()
  for (const [name, value] of Object.entries(parts)) body.append(name, value as string)
  return { method: 'POST', body }
}

const file = new Blob([new Uint8Array([0x89, 0x50, 0xff, 0x00])], { type: 'image/png' })
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

describe('uploads', () => {
  const refused: [string, Record<string, string | Blob>, number?][] = [
    ['a file and a URL', { file, url: 'https://pictures.example/a.png' }],
    ['neither a file nor a URL', { id: 'a' }],
    ['a file under another name', { picture: file }],
    ['a scheme that cannot be fetched', { url: 'ftp://pictures.example/a.png' }, 5454],
    ['an invalid URL', { url: 'pictures' }],
    ['metadata that is not an object', { file, metadata: '[1]' }],
    ['metadata that is not JSON', { file, metadata: '{' }],
    ['1025 bytes of metadata', { file, metadata: JSON.stringify({ a: 'x'.repeat(1017) }) }],
    ['400 letters in 1200 bytes', { file, metadata: JSON.stringify({ a: '€'.repeat(400) }) }],
    ['an invalid flag', { file, requireSignedURLs: 'yes' }],
  ]
  test.each(refused)('are refused with %s', async (_name, parts, code = 5400) => {
    for (const [url, token] of [
      [`${mock.accountUrl}${images}/v1`, 'images-token'],
      [`${mock.batchUrl}/images/v1`, 'images-batch-token'],
    ] as const) {
      const { status, body } = await call(url, { ...form(parts), headers: bearer(token) })
      expect([status, body.success, body.errors[0]?.code]).toEqual([400, false, code])
    }
  })

  const accepted: [string, Record<string, string | Blob>][] = [
    ['a file alone', { file }],
    ['a URL alone', { url: 'HTTPS://pictures.example/a.png?b=c' }],
    ['1024 bytes of metadata', { file, metadata: JSON.stringify({ a: 'x'.repeat(1016) }) }],
    ['metadata with special characters', { file, metadata: '{"a":"100% é + \\r\\n --b"}' }],
    ['empty metadata', { file, metadata: '{}' }],
    ['unknown fields', { file, 'metadata[a]': 'b', 'x y': 'z', '%zz': '1', é: 'é' }],
    ['a flag', { file, requireSignedURLs: 'false' }],
  ]
  test.each(accepted)('are accepted with %s', async (_name, parts) => {
    expect((await call(`${mock.accountUrl}${images}/v1`, form(parts))).status).toBe(200)
  })

  test('return the requested id and flag', async () => {
    const { body } = await call(
      `${mock.accountUrl}${images}/v1`,
      form({ file, id: 'a/b', requireSignedURLs: 'true' }),
    )
    expect(body.result).toMatchObject({
      id: 'a/b',
      requireSignedURLs: true,
      variants: [expect.stringContaining('/a%2Fb/'), expect.anything()],
    })
  })
})

test('generates unique ids for images and tickets', async () => {
  const ids = new Set<unknown>()
  for (let i = 0; i < 2; i += 1) {
    ids.add((await call(`${mock.accountUrl}${images}/v1`, form({ file }))).body.result['id'])
    ids.add(
      (await call(`${mock.accountUrl}${images}/v2/direct_upload`, json('POST', {}))).body.result[
        'id'
      ],
    )
  }
  expect(ids.size).toBe(4)
})

describe('tickets', () => {
  const url = () => `${mock.accountUrl}${images}/v2/direct_upload`

  test.each([
    [{ id: 'a', requireSignedURLs: true }],
    [{ requireSignedURLs: 'true' }],
    [{ metadata: [] }],
    [{ metadata: { a: 'x'.repeat(1017) } }],
    [{ metadata: { a: '€'.repeat(400) } }],
    [{ expiry: 'tomorrow' }],
    [{ expiry: 12 }],
    [{ expiry: hours(7) }],
    [{ id: 1 }],
  ])('are refused for %j', async (body) => {
    expect((await call(url(), json('POST', body))).status).toBe(400)
  })

  test.each([
    [{}],
    [{ id: 'a', requireSignedURLs: false }],
    [{ requireSignedURLs: true }],
    [{ metadata: {} }],
    [{ metadata: { a: 'x'.repeat(1016) } }],
    [{ expiry: hours(6) }],
    [{ expiry: hours(1).replace(/\.\d+Z/, '+00:00') }],
    [{ unknown: null }],
  ])('are created for %j', async (body) => {
    expect((await call(url(), json('POST', body))).status).toBe(200)
  })

  test('refer to the upload host, which accepts the file without a token', async () => {
    const { body } = await call(url(), json('POST', { id: 'mine' }))
    expect(body.result['id']).toBe('mine')
    expect(body.result['uploadURL']).toMatch(new RegExp(`^${mock.uploadUrl}/`))
    expect((await fetch(body.result['uploadURL'] as string, form({ file }))).status).toBe(200)
    expect((await fetch(body.result['uploadURL'] as string, form({ picture: file }))).status).toBe(
      400,
    )
  })
})

describe('the other operations', () => {
  test.each([
    ['page=0'],
    ['page=x'],
    ['page=1.5'],
    ['page='],
    ['per_page=0'],
    ['per_page=101'],
    ['per_page=-1'],
    ['per_page=1e1'],
    ['page=1&page=2'],
  ])('refuse to list with ?%s', async (query) => {
    expect((await call(`${mock.accountUrl}${images}/v2?${query}`)).status).toBe(400)
  })

  test.each([
    ['', 2],
    ['?page=2&per_page=100', 2],
    ['?per_page=1', 1],
    ['?unknown=1', 2],
  ])('respond to a list request with the query "%s" with %i images', async (query, count) => {
    expect(
      (await call(`${mock.accountUrl}${images}/v2${query}`)).body.result['images'],
    ).toHaveLength(count)
  })

  test.each([
    ['POST', '/v1/variants', { id: 'a', options: { fit: 'fill' } }],
    ['POST', '/v1/variants', { id: 'a', options: { width: '10' } }],
    ['POST', '/v1/variants', { options: {} }],
    ['POST', '/v1/variants', { id: 'a', options: {}, neverRequireSignedURLs: 'x' }],
    ['PATCH', '/v1/variants/a', { options: { metadata: 'all' } }],
    ['PATCH', '/v1/config', { flexible_variants: 'true' }],
  ])('refuse %s %s %j', async (method, path, body) => {
    expect((await call(mock.accountUrl + images + path, json(method, body))).status).toBe(400)
  })

  test.each([
    [
      'POST',
      '/v1/variants',
      { id: 'a', options: { fit: 'pad', width: 1, height: 2, metadata: 'keep' } },
    ],
    ['PATCH', '/v1/variants/a', { options: {} }],
    ['PATCH', '/v1/config', { flexible_variants: false }],
  ])('accept %s %s %j', async (method, path, body) => {
    expect((await call(mock.accountUrl + images + path, json(method, body))).status).toBe(200)
  })

  test('ignore an unexpected body and an Accept header for HTML', async () => {
    expect(
      (
        await call(`${mock.accountUrl}${images}/v1/x`, {
          method: 'DELETE',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(200)
    expect(
      (await call(`${mock.accountUrl}${images}/v1/x`, { headers: { accept: 'text/html' } })).status,
    ).toBe(200)
  })

  test('refuse a Prefer header for undeclared responses, and generate dynamic responses from the schema', async () => {
    const get = (prefer: string) =>
      call(`${mock.accountUrl}${images}/v1/x`, { headers: { prefer } })
    expect((await get('code=418')).status).toBe(400)
    expect((await get('code=many')).status).toBe(400)
    expect((await get('example=unknown')).status).toBe(400)
    expect((await get('example="readDraft"')).body.result['draft']).toBe(true)
    expect((await get('return=minimal; dynamic=true')).body.success).toBe(true)
  })

  test('return 404 for another account', async () => {
    expect((await call(`${mock.accountUrl}/accounts/other/images/v2`)).status).toBe(404)
  })
})
