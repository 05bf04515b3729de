import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startFixture,
  formOf,
  pixel,
  expectRefusal,
  type ImagesFixture,
} from './images/images.testing.ts'
import { signDeliveryUrl, startImages } from './images.ts'

let fixture: ImagesFixture
beforeAll(async () => {
  fixture = await startFixture({ maxFileBytes: 200_000 })
})
afterAll(() => fixture.server.close())

describe('uploading', () => {
  test('stores a file and returns its record', async () => {
    const { status, result, body } = await fixture.upload({
      metadata: '{"a":1}',
      requireSignedURLs: 'true',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, errors: [], messages: [] })
    expect(Object.keys(result)).toEqual([
      'id',
      'filename',
      'uploaded',
      'requireSignedURLs',
      'variants',
    ])
    const record = await fixture.call('GET', `/images/v1/${result.id}`)
    expect(record.result).toEqual({
      ...result,
      draft: false,
      metadata: { a: 1 },
      filename: 'pixel.png',
      requireSignedURLs: true,
    })
  })

  test('measures metadata in bytes', async () => {
    const ascii = (n: number) => JSON.stringify({ a: 'x'.repeat(n - 8) })
    expect((await fixture.upload({ metadata: ascii(1024) })).status).toBe(200)
    expectRefusal(await fixture.upload({ metadata: ascii(1025) }), 400)
    expectRefusal(await fixture.upload({ metadata: JSON.stringify({ a: '€'.repeat(400) }) }), 400)
  })

  test.each([
    ['both file and url', { url: 'http://127.0.0.1:1/' }, pixel],
    ['neither file nor url', {}, null],
    ['text in the file field', { file: 'x' }, null],
    ['an empty file', {}, Buffer.alloc(0)],
    ['metadata that is an array', { metadata: '[]' }, pixel],
    ['metadata that is not JSON', { metadata: '{' }, pixel],
    ['metadata that is null', { metadata: 'null' }, pixel],
    ['an invalid flag', { requireSignedURLs: 'yes' }, pixel],
    ['an empty id', { id: '' }, pixel],
  ])('refuses %s', async (_what, fields, file) => {
    expectRefusal(
      await fixture.upload(fields as unknown as Record<string, string>, file),
      400,
      5400,
    )
  })

  test('joins metadata parts', async () => {
    const form = formOf(
      { 'metadata[a]': '1', 'metadata[b][c]': 'x', 'metadata[__proto__][z]': 'y' },
      pixel,
    )
    form.append('metadata[tags][]', 'p')
    form.append('metadata[tags][]', 'q')
    const { result } = await fixture.call('POST', '/images/v1', { form })
    const record = await fixture.call('GET', `/images/v1/${result.id}`)
    expect(record.text).toContain(
      '"metadata":{"a":"1","b":{"c":"x"},"__proto__":{"z":"y"},"tags":["p","q"]}',
    )
  })

  test('accepts ids with slashes and other special characters, which are encoded in paths', async () => {
    const id = `fotos/straße ${Date.now()}/日本%41.png`
    const { result } = await fixture.upload({ id })
    expect(result.id).toBe(id)
    expect((await fixture.call('GET', `/images/v1/${encodeURIComponent(id)}`)).result.id).toBe(id)
    expect(
      (await fixture.call('GET', `/images/v1/${id.split('/').map(encodeURIComponent).join('/')}`))
        .result.id,
    ).toBe(id)
    expect((await fetch(result.variants[0])).status).toBe(200)
    expectRefusal(await fixture.upload({ id }), 400)
    expect((await fixture.call('DELETE', `/images/v1/${encodeURIComponent(id)}`)).status).toBe(200)
    expect((await fixture.upload({ id })).status).toBe(200)
  })

  test('accepts one of several concurrent uploads with the same id', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => fixture.upload({ id: 'rivals' })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  })

  test('fetches from URLs, within limits', async () => {
    const imageServer = createServer((request, response) => {
      if (request.url?.startsWith('/a/pixel.png')) response.end(pixel)
      else if (request.url === '/big') response.end(Buffer.alloc(300_000))
      else if (request.url === '/moved') response.writeHead(302, { location: '/a/pixel.png' }).end()
      else if (request.url === '/stalled')
        response.writeHead(200, { 'content-length': 9 }).write('some')
      else if (request.url === '/drip')
        [0, 50, 100].forEach((ms, at) =>
          setTimeout(() => (at < 2 ? response.write(pixel) : response.end(pixel)), ms),
        )
      else if (request.url !== '/slow') response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => imageServer.once('listening', resolve))
    const base = `http://127.0.0.1:${(imageServer.address() as AddressInfo).port}`
    const { result } = await fixture.upload({ url: `${base}/a/pixel.png?x=1` }, null)
    expect(result.filename).toBe('pixel.png')
    expect(Buffer.from(await (await fetch(result.variants[0])).arrayBuffer())).toEqual(pixel)
    expect((await fixture.upload({ url: `${base}/moved` }, null)).status).toBe(200)
    expectRefusal(await fixture.upload({ url: `${base}/big` }, null), 413)
    expectRefusal(await fixture.upload({ url: `${base}/missing` }, null), 400, 5400)
    expectRefusal(await fixture.upload({ url: 'ftp://127.0.0.1/x.png' }, null), 400, 5454)
    expectRefusal(await fixture.upload({ url: 'not a url' }, null), 400, 5400)
    fixture.server.context.rules.fetchTimeoutMs = 50
    expectRefusal(await fixture.upload({ url: `${base}/slow` }, null), 400, 5408)
    fixture.server.context.rules.fetchTimeoutMs = 10_000
    fixture.server.context.rules.fetchStallMs = 90
    expectRefusal(await fixture.upload({ url: `${base}/stalled` }, null), 400, 5408)
    expect((await fixture.upload({ url: `${base}/drip` }, null)).status).toBe(200)
    fixture.server.context.rules.fetchStallMs = 3000
    imageServer.close()
    imageServer.closeAllConnections()
    expectRefusal(await fixture.upload({ url: `${base}/a/pixel.png` }, null), 400, 5400)
  })
})

test('pages contain every image once, even after deletions', async () => {
  const own = await startFixture()
  const ids: string[] = []
  for (let i = 0; i < 7; i++) ids.push((await own.upload()).result.id)
  const page = async (query: string) => await own.call('GET', `/images/v2?${query}`)
  const seen = (await Promise.all([1, 2, 3].map((n) => page(`page=${n}&per_page=3`)))).map(
    ({ result }) => result.images.map(({ id }: { id: string }) => id),
  )
  expect(seen).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)])
  expect((await page('page=9')).result).toEqual({ images: [] })
  expect(Object.keys((await page('')).result.images[0])).toEqual([
    'id',
    'filename',
    'uploaded',
    'requireSignedURLs',
    'variants',
  ])
  for (const query of [
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=',
    'per_page=0',
    'per_page=101',
    'per_page=1e1',
  ])
    expectRefusal(await page(query), 400)
  await own.call('DELETE', `/images/v1/${ids[3]}`)
  expectRefusal(await own.call('DELETE', `/images/v1/${ids[3]}`), 404)
  expect(
    (await page('page=2&per_page=3')).result.images.map(({ id }: { id: string }) => id),
  ).toEqual(ids.slice(4))
  await own.server.close()
})

describe('variants, configuration, delivery', () => {
  test('creates, reads, merges and deletes variants', async () => {
    const created = await fixture.call('POST', '/images/v1/variants', {
      json: {
        id: 'hero',
        options: { fit: 'cover', width: 10, height: 20, metadata: 'keep' },
        neverRequireSignedURLs: true,
      },
    })
    expect(created.result.variant).toEqual({
      id: 'hero',
      options: { fit: 'cover', width: 10, height: 20, metadata: 'keep' },
      neverRequireSignedURLs: true,
    })
    const patched = await fixture.call('PATCH', '/images/v1/variants/hero', {
      json: { options: { width: 11 } },
    })
    expect(patched.result.variant).toEqual({
      id: 'hero',
      options: { fit: 'cover', width: 11, height: 20, metadata: 'keep' },
      neverRequireSignedURLs: true,
    })
    expect((await fixture.call('GET', '/images/v1/variants/hero')).result).toEqual(patched.result)
    expect(Object.keys((await fixture.call('GET', '/images/v1/variants')).result.variants)).toEqual(
      ['public', 'hero'],
    )
    const { result } = await fixture.upload({ requireSignedURLs: 'true' })
    const [pub, hero] = result.variants as [string, string]
    expect([
      (await fetch(pub)).status,
      (await fetch(hero)).status,
      (await fetch(signDeliveryUrl(fixture.server.context, pub))).status,
    ]).toEqual([403, 200, 200])
    expect((await fixture.call('DELETE', '/images/v1/variants/hero')).result).toEqual({})
    expect((await fetch(hero)).status).toBe(404)
    expectRefusal(await fixture.call('GET', '/images/v1/variants/hero'), 404)
    expectRefusal(
      await fixture.call('PATCH', '/images/v1/variants/hero', { json: { options: {} } }),
      404,
    )
    expectRefusal(await fixture.call('DELETE', '/images/v1/variants/hero'), 404)
  })

  test('refuses invalid variants', async () => {
    const wrong = [
      {},
      { id: '' },
      { id: 5 },
      { id: 'public' },
      { id: 'a/b' },
      { id: 'v', options: [] },
      { id: 'v', options: { fit: 'fill' } },
      { id: 'v', options: { width: 0 } },
      { id: 'v', options: { width: '5' } },
      { id: 'v', options: { height: 1.5 } },
      { id: 'v', options: { metadata: 'all' } },
      { id: 'v', neverRequireSignedURLs: 'no' },
    ]
    for (const json of wrong)
      expectRefusal(await fixture.call('POST', '/images/v1/variants', { json }), 400)
    expectRefusal(
      await fixture.call('PATCH', '/images/v1/variants/public', {
        json: { options: { fit: 'x', width: 5 } },
      }),
      400,
    )
    expectRefusal(await fixture.call('PATCH', '/images/v1/variants/public', { json: {} }), 400)
    expect(
      (await fixture.call('GET', '/images/v1/variants/public')).result.variant.options.width,
    ).toBe(1366)
  })

  test('flexible variants work while they are enabled', async () => {
    const url = (await fixture.upload()).result.variants[0].replace(/public$/, 'w=100,h=50')
    expect((await fetch(url)).status).toBe(404)
    expect(
      (await fixture.call('PATCH', '/images/v1/config', { json: { flexible_variants: true } }))
        .result,
    ).toEqual({ flexible_variants: true })
    const head = await fetch(url, { method: 'HEAD' })
    expect([
      head.status,
      head.headers.get('content-type'),
      head.headers.get('content-length'),
    ]).toEqual([200, 'image/png', String(pixel.length)])
    expect((await fetch(url.replace('w=100,h=50', 'nothing'))).status).toBe(404)
    for (const json of [{}, { flexible_variants: 'true' }, [], ''])
      expectRefusal(await fixture.call('PATCH', '/images/v1/config', { json }), 400)
    await fixture.call('PATCH', '/images/v1/config', { json: { flexible_variants: false } })
    expect((await fetch(url)).status).toBe(404)
  })

  test('a client that has an image receives status 304 without a body', async () => {
    const url = (await fixture.upload()).result.variants[0]
    const tag = (await fetch(url)).headers.get('etag')!
    const request = (known: string) => fetch(url, { headers: { 'If-None-Match': known } })
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const response = await request(known)
      expect([response.status, response.headers.get('content-length')]).toEqual([304, null])
    }
    expect((await request('"other"')).status).toBe(200)
  })

  test('a deleted image is not delivered any more', async () => {
    const { result } = await fixture.upload()
    expect((await fetch(result.variants[0])).status).toBe(200)
    await fixture.call('DELETE', `/images/v1/${result.id}`)
    expect((await fetch(result.variants[0])).status).toBe(404)
  })
})

describe('tokens and routes', () => {
  test('checks the token first', async () => {
    const { api, limited, batch } = fixture.server.options.tokens
    const status = async (authorization: string | null, path = '/images/v2') =>
      (
        await fixture.call('GET', path, {
          token: null,
          headers: authorization === null ? {} : { authorization },
        })
      ).status
    expect(await status(null)).toBe(401)
    expect(await status(`Basic ${api}`)).toBe(401)
    expect(await status('Bearer ')).toBe(401)
    expect(await status(`Bearer ${api}x`)).toBe(401)
    expect(await status(`bearer ${api}`)).toBe(200)
    expect(await status(`Bearer ${limited}`)).toBe(403)
    expect(await status(`Bearer ${batch}`)).toBe(401)
    expect(await status(`Bearer ${api}`, `${fixture.server.batchUrl}/images/v2`)).toBe(401)
    expect(await status(`Bearer ${batch}`, `${fixture.server.batchUrl}/images/v2`)).toBe(200)
    expectRefusal(
      await fixture.call('POST', '/images/v1', { json: 'not a form', token: 'unknown' }),
      401,
    )
    expectRefusal(
      await fixture.call('GET', `${fixture.server.accountUrl}/accounts/other/images/v2`),
      404,
    )
  })

  test('the batch host and the account host share their images', async () => {
    const token = fixture.server.options.tokens.batch
    const { result } = await fixture.call('POST', `${fixture.server.batchUrl}/images/v1`, {
      token,
      form: formOf({}, pixel),
    })
    expect((await fixture.call('GET', `/images/v1/${result.id}`)).status).toBe(200)
    expect(
      (await fixture.call('DELETE', `${fixture.server.batchUrl}/images/v1/${result.id}`, { token }))
        .status,
    ).toBe(200)
    expectRefusal(await fixture.call('GET', `/images/v1/${result.id}`), 404)
  })

  test('returns 404 for unknown operations', async () => {
    for (const [method, path] of [
      ['PUT', '/images/v1'],
      ['GET', '/images/v1/%zz'],
      ['GET', '/images/v3'],
      ['GET', '/images/v1/'],
    ] as const)
      expectRefusal(await fixture.call(method, path), 404)
  })

  test('returns the failure that a Prefer header names', async () => {
    for (const status of [400, 401, 403, 404, 413, 429, 500, 502]) {
      expectRefusal(
        await fixture.call('GET', '/images/v2', {
          headers: { prefer: `code=${status}` },
          token: null,
        }),
        status,
      )
    }
    expect(
      (await fixture.call('GET', '/images/v2', { headers: { prefer: 'code=418' } })).status,
    ).toBe(200)
    expectRefusal(
      await fixture.complete(`${fixture.server.uploadUrl}/x`).then(() =>
        fixture.call('POST', `${fixture.server.uploadUrl}/x`, {
          headers: { prefer: 'code=429' },
        }),
      ),
      429,
    )
  })
})

test('rejects if a port is in use, and closes the other hosts', async () => {
  const port = Number(new URL(fixture.server.uploadUrl).port)
  await expect(startImages({ ports: { upload: port } })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    port,
  })
})

test('middleware can change requests, replies and authentication', async () => {
  const own = await startFixture({
    rules: { perPageMax: 1000 },
    around: async (call, next) => {
      if (call.operation === 'listImages') call.authorize = () => undefined
      if (call.operation === 'uploadImage') {
        const form = await call.form()
        call.form = async () => ({ ...form, fields: { ...form.fields, id: 'forced' } })
      }
      const reply = await next()
      return call.operation === 'deleteImage'
        ? { status: 200, body: null, raw: 'gone', headers: { 'content-type': '' } }
        : reply
    },
  })
  expect((await own.upload()).result.id).toBe('forced')
  expect((await own.call('GET', '/images/v2?per_page=500', { token: null })).status).toBe(200)
  const gone = await own.call('DELETE', '/images/v1/none')
  expect([gone.text, gone.headers.get('content-type')]).toEqual(['gone', null])
  await own.server.close()
})
