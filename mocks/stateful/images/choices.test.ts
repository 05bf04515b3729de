import { afterEach, expect, test, vi } from 'vitest'
import type { ImagesChoices } from './choices.ts'
import { startFixture, pixel, sendRaw, type ImagesFixture } from './images.testing.ts'

afterEach(() => {
  vi.useRealTimers()
})

async function withChoices(
  choices: Partial<ImagesChoices>,
  use: (fixture: ImagesFixture) => Promise<void>,
): Promise<void> {
  const fixture = await startFixture({ choices })
  try {
    await use(fixture)
  } finally {
    await fixture.server.close()
  }
}

test('lists have the chosen order, drafts, page size and response after the last page', () =>
  withChoices(
    {
      listOrder: 'newest',
      listsDrafts: true,
      pastEnd: 'refuse',
      pastEndStatus: 404,
      perPageAboveMax: 'clamp',
      listInfo: true,
    },
    async (fixture) => {
      const first = (await fixture.upload()).result.id
      const ticket = (await fixture.call('POST', '/images/v2/direct_upload', { json: {} })).result
      const list = () => fixture.call('GET', '/images/v2?per_page=500')
      expect((await list()).result.images.map(({ id }: { id: string }) => id)).toEqual([
        ticket.id,
        first,
      ])
      await fixture.complete(ticket.uploadURL)
      expect((await list()).result).toMatchObject({ per_page: 100, total_count: 2 })
      const late = (await fixture.call('POST', '/images/v2/direct_upload', { json: {} })).result
      fixture.server.clock.offset = 31 * 60_000
      expect((await list()).text).not.toContain(late.id)
      expect((await fixture.call('GET', '/images/v2?page=2')).status).toBe(404)
    },
  ))

test('records have the chosen fields and formats', () =>
  withChoices(
    {
      draftWhenStored: 'absent',
      missingMetadata: 'empty',
      resultsContainMetadata: true,
      resultsContainDraft: true,
      idForm: 'slashes',
      timestampForm: 'basic',
      requireSignedDefault: true,
    },
    async (fixture) => {
      const { result } = await fixture.upload()
      expect(result).toMatchObject({ metadata: {}, draft: false, requireSignedURLs: true })
      expect(result.id).toContain('/')
      expect(result.uploaded).toMatch(/^\d{8}T\d{6}Z$/)
      expect(
        (await fixture.call('GET', `/images/v1/${encodeURIComponent(result.id)}`)).result,
      ).not.toHaveProperty('draft')
      expect((await fetch(result.variants[0])).status).toBe(403)
    },
  ))

test('uploads accept the chosen ids, formats and duplicates', () =>
  withChoices(
    {
      unusualIds: 'refuse',
      unknownImageFormat: 'refuse',
      duplicateIdStatus: 'replace',
      metadataMeasure: 'compact',
    },
    async (fixture) => {
      expect((await fixture.upload({ id: 'a/b' })).status).toBe(400)
      expect((await fixture.upload({}, Buffer.from('hello'))).status).toBe(400)
      expect((await fixture.upload({ id: 'same' })).status).toBe(200)
      expect(
        (await fixture.upload({ id: 'same', metadata: `{"a":1${' '.repeat(2000)}}` })).status,
      ).toBe(200)
      expect((await fixture.call('GET', '/images/v2')).result.images).toHaveLength(1)
    },
  ))

test('tickets have the chosen statuses and results', () =>
  withChoices(
    {
      usedTicketStatus: 404,
      expiredTicketStatus: 404,
      wrongPartUsesTicket: true,
      completionResponse: 'empty',
      expiryInPast: 'accept',
    },
    async (fixture) => {
      const open = async (json = {}) =>
        (await fixture.call('POST', '/images/v2/direct_upload', { json })).result
      const usedUp = await open()
      expect((await fixture.complete(usedUp.uploadURL, pixel, 'other')).status).toBe(400)
      expect((await fixture.complete(usedUp.uploadURL)).status).toBe(404)
      expect((await fixture.complete((await open()).uploadURL)).body).toMatchObject({
        success: true,
        result: {},
      })
      expect(
        (await fixture.complete((await open({ expiry: '2020-01-01T00:00:00Z' })).uploadURL)).status,
      ).toBe(404)
    },
  ))

test('variants and deletions have the chosen results', () =>
  withChoices(
    {
      variantRecord: 'bare',
      variantList: 'array',
      variantOptions: 'required',
      duplicateVariantStatus: 409,
      emptyResult: 'record',
      configResult: 'empty',
      deliveredAfterDeletion: true,
      neverRequireSignedEffect: false,
    },
    async (fixture) => {
      const options = { fit: 'pad', width: 1, height: 1, metadata: 'none' }
      expect(
        (
          await fixture.call('POST', '/images/v1/variants', {
            json: { id: 'v', options: { width: 1 } },
          })
        ).status,
      ).toBe(400)
      expect(
        (await fixture.call('POST', '/images/v1/variants', { json: { id: 'v', options } })).result,
      ).toEqual({ id: 'v', options, neverRequireSignedURLs: false })
      expect(
        (await fixture.call('POST', '/images/v1/variants', { json: { id: 'v', options } })).status,
      ).toBe(409)
      expect(
        (await fixture.call('GET', '/images/v1/variants')).result.variants.map(
          ({ id }: { id: string }) => id,
        ),
      ).toEqual(['public', 'v'])
      expect(
        (await fixture.call('PATCH', '/images/v1/config', { json: { flexible_variants: true } }))
          .result,
      ).toEqual({})
      const { result } = await fixture.upload()
      expect((await fixture.call('DELETE', `/images/v1/${result.id}`)).result).toEqual({
        id: result.id,
      })
      expect((await fixture.call('GET', `/images/v1/${result.id}`)).status).toBe(404)
      expect((await fetch(result.variants[0])).status).toBe(200)
    },
  ))

test('responses have the chosen fields, key order, whitespace, chunks and headers', () =>
  withChoices(
    {
      successLists: 'absent',
      failureResult: 'absent',
      errorCodes: 'own',
      extraFields: true,
      keyOrder: 'reversed',
      prettyJson: true,
      chunked: true,
      keepAlive: false,
      contentTypeCharset: true,
      headerCase: 'lower',
    },
    async (fixture) => {
      const { result } = await fixture.upload({ metadata: '{"a":{"b":1}}' })
      const response = await fixture.call('GET', `/images/v1/${result.id}`)
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(response.result).toMatchObject({
        id: result.id,
        metadata: { a: { b: 1 } },
        x_extra: { count: 1 },
      })
      expect(response.result.metadata).toEqual({ a: { b: 1 } })
      expect(Object.keys(response.body)).toEqual(['x_extra', 'result', 'success'])
      expect(
        Object.keys((await fixture.call('GET', '/images/v1/variants')).result.variants),
      ).toEqual(['public'])
      expect(Object.keys((await fixture.call('GET', '/images/v1/none')).body)).toEqual([
        'x_extra',
        'errors',
        'success',
      ])
      const raw = await sendRaw(fixture.server.accountUrl, 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n')
      expect(raw).toMatch(
        /\r\ncontent-type: [\s\S]*\r\nconnection: close[\s\S]*Transfer-Encoding: chunked[\s\S]*\r\n0\r\n\r\n$/i,
      )
      expect(Buffer.from(await (await fetch(result.variants[0])).arrayBuffer())).toEqual(pixel)
    },
  ))

test('reads return the old state for `settleMs` after a write', () =>
  withChoices({ settleMs: 60 }, async (fixture) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { result } = await fixture.upload()
    expect((await fixture.call('GET', `/images/v1/${result.id}`)).status).toBe(404)
    await fixture.call('POST', '/images/v1/variants', { json: { id: 'v' } })
    expect((await fixture.call('GET', '/images/v1/variants/v')).status).toBe(404)
    vi.advanceTimersByTime(60)
    expect((await fixture.call('GET', `/images/v1/${result.id}`)).result.variants).toHaveLength(2)
    expect((await fixture.call('DELETE', `/images/v1/${result.id}`)).status).toBe(200)
    expect((await fixture.call('GET', `/images/v1/${result.id}`)).status).toBe(200)
  }))
