import Cloudflare, { toFile } from 'cloudflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { greyImage } from '../stateful/images/grey-image.ts'
import { imageMocks, type ClientsMock } from './image-mocks.testing.ts'

// The URL of this client can be configured, so it needs no redirection. It returns the result of a
// success, and throws its own error for each status of a failure.
//
// Operations of the client that the contract does not have: `images.v1.edit`, `images.v1.keys`,
// `images.v1.stats` and `images.v1.blobs`.

const options = { fit: 'cover', width: 100, height: 50, metadata: 'none' } as const
const metadata = { place: 'Rügen', year: '2026' }

describe.each(imageMocks)('cloudflare with the %s', (_name, { remembers, start }) => {
  let mock: ClientsMock
  let client: Cloudflare
  let account_id: string
  const newClient = (apiToken: string) =>
    new Cloudflare({ apiToken, baseURL: mock.accountUrl, maxRetries: 0 })

  beforeAll(async () => {
    mock = await start()
    account_id = mock.options.account
    client = newClient(mock.options.tokens.api)
  })
  afterAll(() => mock.close())

  const upload = async (given: { id?: string; requireSignedURLs?: boolean } = {}) =>
    client.images.v1.create({
      account_id,
      file: await toFile(Buffer.from(greyImage), 'sunset.png', { type: 'image/png' }),
      metadata,
      ...given,
    })
  const complete = async (uploadURL: string | undefined) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(greyImage)], { type: 'image/png' }), 'mine.png')
    return (await fetch(uploadURL!, { method: 'POST', body: form })).status
  }

  it('receives envelopes with all members', async () => {
    await upload({ id: 'harbour' })
    const response = await client.images.v1.get('harbour', { account_id }).asResponse()
    expect(await response.json()).toEqual({
      success: true,
      errors: [],
      messages: [],
      result: expect.objectContaining({ id: 'harbour', draft: false }),
    })
  })

  it('images.v1.create with a file', async () => {
    expect(await upload({ id: 'trips/sunset', requireSignedURLs: false })).toMatchObject({
      id: 'trips/sunset',
      filename: 'sunset.png',
      requireSignedURLs: false,
      variants: expect.any(Array),
    })
    expect(await upload({ requireSignedURLs: true })).toMatchObject({
      id: expect.any(String),
      requireSignedURLs: true,
    })
  })

  it('images.v1.create with a URL', async () => {
    const [url] = (await upload()).variants!
    expect(await client.images.v1.create({ account_id, url: String(url) })).toMatchObject({
      filename: 'public',
      requireSignedURLs: false,
    })
  })

  it('images.v1.get', async () => {
    await upload({ id: 'trips/pier' })
    expect(await client.images.v1.get('trips/pier', { account_id })).toMatchObject({
      id: 'trips/pier',
      uploaded: expect.any(String),
    })
  })

  it('images.v2.list', async () => {
    await upload()
    await upload()
    expect((await client.images.v2.list({ account_id })).images?.length).toBeGreaterThan(1)
    expect((await client.images.v2.list({ account_id, per_page: 1 })).images).toHaveLength(1)
  })

  it('images.v1.delete', async () => {
    await upload({ id: 'quay' })
    expect(await client.images.v1.delete('quay', { account_id })).toEqual({})
  })

  it('images.v2.directUploads.create, which sends a form', async () => {
    const { directUploads } = client.images.v2
    const expiry = new Date(Date.now() + 3_600_000).toISOString()
    const ticket = await directUploads.create({
      account_id,
      expiry,
      metadata,
      requireSignedURLs: true,
    })
    expect(ticket).toEqual({ id: expect.any(String), uploadURL: expect.any(String) })
    expect(await complete(ticket.uploadURL)).toBe(200)
    expect(
      await directUploads.create({ account_id, id: 'visitor-12', requireSignedURLs: false }),
    ).toMatchObject({ id: 'visitor-12' })
    await expect(
      directUploads.create({ account_id, id: 'visitor-13', requireSignedURLs: true }),
    ).rejects.toBeInstanceOf(Cloudflare.BadRequestError)
  })

  it('images.v1.variants: create, get, list, edit, delete', async () => {
    const { variants } = client.images.v1
    const created = { id: 'thumb', options, neverRequireSignedURLs: true }
    expect(await variants.create({ account_id, ...created })).toEqual({ variant: created })
    expect(await variants.get('thumb', { account_id })).toMatchObject({ variant: { id: 'thumb' } })
    expect((await variants.list({ account_id })).variants).toMatchObject({ thumb: { id: 'thumb' } })
    const change = { ...options, width: 200 }
    expect(
      await variants.edit('thumb', { account_id, options: change, neverRequireSignedURLs: false }),
    ).toEqual({ variant: { id: 'thumb', options: change, neverRequireSignedURLs: false } })
    expect(await variants.delete('thumb', { account_id })).toEqual({})
  })

  it('throws its own error for each failure', async () => {
    const list = (prefer: string) =>
      client.images.v2.list({ account_id }, { headers: { Prefer: prefer } })
    const errors = {
      400: Cloudflare.BadRequestError,
      401: Cloudflare.AuthenticationError,
      403: Cloudflare.PermissionDeniedError,
      404: Cloudflare.NotFoundError,
      429: Cloudflare.RateLimitError,
      500: Cloudflare.InternalServerError,
    }
    for (const [status, error] of Object.entries(errors))
      await expect(list(`code=${status}`)).rejects.toBeInstanceOf(error)
    await expect(newClient('unknown').images.v2.list({ account_id })).rejects.toMatchObject({
      status: 401,
      errors: [{ code: expect.any(Number), message: expect.any(String) }],
    })
    await expect(client.images.v1.create({ account_id })).rejects.toMatchObject({ status: 400 })
  })

  if (remembers) {
    it('reads and lists what it uploaded', async () => {
      const { id, variants } = await upload({ id: 'trips/beach' })
      expect(await client.images.v1.get(id!, { account_id })).toMatchObject({ metadata })
      const delivered = await fetch(String(variants![0]))
      expect(new Uint8Array(await delivered.arrayBuffer())).toEqual(new Uint8Array(greyImage))
      const page = await client.images.v2.list({ account_id })
      expect(page.images!.map((image) => image.id)).toContain('trips/beach')
    })

    it('does not find what it deleted', async () => {
      const { id } = await upload()
      await client.images.v1.delete(id!, { account_id })
      for (const call of [client.images.v1.get, client.images.v1.delete])
        await expect(call.call(client.images.v1, id!, { account_id })).rejects.toBeInstanceOf(
          Cloudflare.NotFoundError,
        )
    })

    it('uses a ticket for one upload', async () => {
      const ticket = await client.images.v2.directUploads.create({
        account_id,
        metadata,
        requireSignedURLs: true,
      })
      expect(await client.images.v1.get(ticket.id!, { account_id })).toMatchObject({ draft: true })
      expect(await complete(ticket.uploadURL)).toBe(200)
      expect(await client.images.v1.get(ticket.id!, { account_id })).toMatchObject({
        draft: false,
        requireSignedURLs: true,
        metadata,
      })
      expect(await complete(ticket.uploadURL)).toBe(400)
    })

    it('reads a variant that it changed, and not one that it deleted', async () => {
      const { variants } = client.images.v1
      await variants.create({ account_id, id: 'hero', options })
      await variants.edit('hero', { account_id, options: { ...options, width: 200 } })
      expect(await variants.get('hero', { account_id })).toMatchObject({
        variant: { options: { fit: 'cover', width: 200, height: 50 } },
      })
      await variants.delete('hero', { account_id })
      await expect(variants.get('hero', { account_id })).rejects.toMatchObject({ status: 404 })
    })
  }
})
