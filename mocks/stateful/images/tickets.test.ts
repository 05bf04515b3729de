import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startFixture,
  formOf,
  pixel,
  expectRefusal,
  sendRaw,
  sendInTwoParts,
  type ImagesFixture,
} from './images.testing.ts'

let fixture: ImagesFixture
beforeAll(async () => {
  fixture = await startFixture({ maxFileBytes: 200_000 })
})
afterAll(() => fixture.server.close())

describe('a ticket', () => {
  const open = (json: unknown = {}) => fixture.call('POST', '/images/v2/direct_upload', { json })

  test('belongs to a draft until its file is uploaded', async () => {
    const { result } = await open({ metadata: { a: 1 }, requireSignedURLs: true })
    expect(Object.keys(result)).toEqual(['id', 'uploadURL'])
    const draft = await fixture.call('GET', `/images/v1/${result.id}`)
    expect(draft.result).toMatchObject({ draft: true, requireSignedURLs: true, metadata: { a: 1 } })
    expect((await fetch(draft.result.variants[0])).status).toBe(404)
    expect((await fixture.call('GET', '/images/v2')).text).not.toContain(result.id)
    expectRefusal(await fixture.complete(result.uploadURL, pixel, 'picture'), 400)
    expect((await fixture.complete(result.uploadURL)).result).toMatchObject({
      id: result.id,
      draft: false,
      filename: 'pixel.png',
    })
    expect((await fixture.call('GET', `/images/v1/${result.id}`)).result.draft).toBe(false)
    expect((await fixture.call('GET', '/images/v2')).text).toContain(result.id)
    expectRefusal(await fixture.complete(result.uploadURL), 400)
    expectRefusal(await fixture.complete(`${fixture.server.uploadUrl}/guess`), 404)
  })

  test('accepts one of several concurrent uploads', async () => {
    const { result } = await open()
    const responses = await Promise.all([1, 2, 3].map(() => fixture.complete(result.uploadURL)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test('stays open if an upload fails', async () => {
    const { result } = await open()
    const path = new URL(result.uploadURL).pathname
    await sendRaw(
      result.uploadURL,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n\r\n--b\r\nContent-Disp`,
      { end: true, waitMs: 100 },
    )
    expectRefusal(await fixture.complete(result.uploadURL, Buffer.alloc(200_001)), 413)
    expect((await fixture.complete(result.uploadURL)).status).toBe(200)
  })

  test('does not change a later image with the same id', async () => {
    const { result } = await open({ id: 'taken-over' })
    const path = new URL(result.uploadURL).pathname
    const body =
      '--b\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: image/png\r\n\r\nabc\r\n--b--\r\n'
    const response = sendInTwoParts(
      result.uploadURL,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`,
      body,
      async () => {
        await fixture.call('DELETE', '/images/v1/taken-over')
        await fixture.upload({ id: 'taken-over' })
      },
    )
    expect(await response).toMatch(/^HTTP\/1.1 404 /)
    expect((await fixture.call('GET', '/images/v1/taken-over')).result.filename).toBe('pixel.png')
  })

  test('is refused after its expiry, or after its draft was deleted', async () => {
    const late = (await open()).result
    const expired = (await open()).result
    await fixture.call('DELETE', `/images/v1/${expired.id}`)
    expectRefusal(await fixture.complete(expired.uploadURL), 404)
    const clock = new URL('/_touchstone/clock', fixture.server.accountUrl).href
    await fixture.call('POST', clock, { json: { offsetSeconds: 29 * 60 }, token: null })
    expect((await fixture.call('GET', `/images/v1/${late.id}`)).status).toBe(200)
    const moved = await fixture.call('POST', clock, {
      json: { offsetSeconds: 31 * 60 },
      token: null,
    })
    expect(Date.parse(moved.body.now) - Date.now()).toBeGreaterThan(30 * 60_000)
    expectRefusal(await fixture.call('GET', `/images/v1/${late.id}`), 404)
    expectRefusal(await fixture.complete(late.uploadURL), 400)
    expect(
      (await fixture.call('POST', clock, { json: { offsetSeconds: 'x' }, token: null })).status,
    ).toBe(400)
    fixture.server.clock.offset = 0
  })

  test('can have an expiry up to six hours ahead', async () => {
    const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    expect((await open({ expiry: ahead(350) })).status).toBe(200)
    expectRefusal(await open({ expiry: ahead(370) }), 400)
    expectRefusal(await open({ expiry: ahead(-1) }), 400)
    expectRefusal(await open({ expiry: 'tomorrow' }), 400)
    expectRefusal(await open({ expiry: 5 }), 400)
  })

  test('cannot be requested with an invalid body', async () => {
    for (const json of [
      '{',
      '[]',
      '"x"',
      'null ,',
      '{"requireSignedURLs":"true"}',
      '{"requireSignedURLs":null}',
      '{"metadata":[]}',
      '{"metadata":"{}"}',
      '{"id":5}',
      '{"id":"mine","requireSignedURLs":true}',
    ])
      expectRefusal(await open(json), 400)
    expectRefusal(await open({ metadata: { a: '€'.repeat(400) } }), 400)
    expect((await open({ id: 'mine', requireSignedURLs: false })).result.id).toBe('mine')
    expectRefusal(await open({ id: 'mine' }), 400)
    expect((await fixture.call('POST', '/images/v2/direct_upload')).status).toBe(200)
    const sdk = await fixture.call('POST', '/images/v2/direct_upload', {
      form: formOf({ requireSignedURLs: 'true', 'metadata[k]': 'v' }, null),
    })
    expect((await fixture.call('GET', `/images/v1/${sdk.result.id}`)).result).toMatchObject({
      requireSignedURLs: true,
      metadata: { k: 'v' },
    })
  })
})
