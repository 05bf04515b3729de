import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFixture, formOf, pixel, sendRaw, type ImagesFixture } from './images.testing.ts'

let fixture: ImagesFixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.server.close())

const base = '/client/v4/accounts/acc-1/images'
const firstLine = async (request: string) => {
  const response = await sendRaw(
    fixture.server.accountUrl,
    `${request}Authorization: Bearer images-token\r\nConnection: close\r\n\r\n`,
  )
  return response.slice('HTTP/1.1 '.length, 'HTTP/1.1 404'.length)
}
const get = (path: string, method = 'GET') => firstLine(`${method} ${path} HTTP/1.1\r\nHost: x\r\n`)

test('an id may contain slashes, encoded or not', async () => {
  await fixture.upload({ id: 'a/b c' })
  for (const id of ['a/b%20c', 'a%2Fb%20c']) expect(await get(`${base}/v1/${id}`)).toBe('200')
  expect(await get(`${base}/v1/a%252Fb%20c`)).toBe('404')
})

test('paths below /variants are not images, but ids that begin with "variants" are accepted', async () => {
  await fixture.upload({ id: 'variantsx' })
  await fixture.upload({ id: 'variants/x' })
  expect(await get(`${base}/v1/variantsx`)).toBe('200')
  expect(await get(`${base}/v1/variants%2Fx`)).toBe('200')
  for (const path of ['variants/x', 'variants/', 'variants/public/'])
    expect(await get(`${base}/v1/${path}`)).toBe('404')
})

test.each(['HEAD', 'PUT', 'OPTIONS', 'TRACE'])(
  '%s of a list is not an operation',
  async (method) => {
    expect(await get(`${base}/v2`, method)).toBe('404')
  },
)

test.each(['/v2/', '/v1/', '//v2', '/v1/%zz', '/v1/%E2/%82', '/v2/direct_upload/'])(
  'there is no operation at %s',
  async (path) => {
    expect(await get(base + path)).toBe('404')
  },
)

test('serves a request whose Host and target do not form a URL', async () => {
  for (const host of ['a b', '[::1', 'UP_per.example:1'])
    expect(await firstLine(`GET ${base}/v2 HTTP/1.1\r\nHost: ${host}\r\n`)).toBe('200')
  expect(await firstLine(`GET ${base}/v2 HTTP/1.0\r\n`)).toBe('200')
  for (const line of ['OPTIONS *', 'TRACE *', 'GET /a\\b', `GET ${base}/v1/../v2`])
    expect(await firstLine(`${line} HTTP/1.1\r\nHost: x\r\n`)).toBe('404')
})

test('the base path can be set', async () => {
  const own = await startFixture({ basePath: '' })
  expect((await own.call('POST', '/images/v1', { form: formOf({}, pixel) })).status).toBe(200)
  await own.server.close()
})
