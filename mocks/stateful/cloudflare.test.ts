import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Cloudflare, { toFile } from 'cloudflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startImages, type ImagesServer } from './images.ts'

// Uses a published client of a similar image API with the URL of the mock. The client was written
// independently of this project, so it shows what clients really send and read.
let server: ImagesServer
let client: Cloudflare
let origin: Server
let imageUrl: string
const account_id = 'acc-1'
const bytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

beforeAll(async () => {
  server = await startImages()
  client = new Cloudflare({
    apiToken: server.options.tokens.api,
    baseURL: server.accountUrl,
    maxRetries: 0,
  })
  origin = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes),
  )
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  imageUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/sunset.png`
})
afterAll(async () => {
  await server.close()
  origin.closeAllConnections()
  await new Promise((resolve) => origin.close(resolve))
})

describe('the published client', () => {
  it('uploads a file with all options, reads, lists and deletes it', async () => {
    const file = await toFile(bytes, 'sunset.png', { type: 'image/png' })
    const created = await client.images.v1.create({
      account_id,
      file,
      id: 'trips/sunset',
      metadata: { place: 'Rügen', year: '2026' },
      requireSignedURLs: false,
    })
    expect(created).toMatchObject({
      id: 'trips/sunset',
      filename: 'sunset.png',
      requireSignedURLs: false,
    })

    const read = await client.images.v1.get('trips/sunset', { account_id })
    expect(read).toMatchObject({ id: 'trips/sunset', metadata: { place: 'Rügen', year: '2026' } })
    expect(Buffer.from(await (await fetch(String(read.variants![0]))).arrayBuffer())).toEqual(bytes)

    const page = await client.images.v2.list({ account_id, per_page: 10 })
    expect(page.images!.map(({ id }) => id)).toContain('trips/sunset')

    await client.images.v1.delete('trips/sunset', { account_id })
    await expect(client.images.v1.get('trips/sunset', { account_id })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('uploads by URL', async () => {
    const created = await client.images.v1.create({ account_id, url: imageUrl })
    expect(created).toMatchObject({ filename: 'sunset.png' })
    expect(server.store.get(created.id!)!.bytes).toEqual(bytes)
  })

  it('requests a ticket that allows one upload', async () => {
    const expiry = new Date(Date.now() + 3_600_000).toISOString()
    const ticket = await client.images.v2.directUploads.create({
      account_id,
      expiry,
      metadata: { from: 'app' },
      requireSignedURLs: true,
    })
    expect(await client.images.v1.get(ticket.id!, { account_id })).toMatchObject({ draft: true })
    const form = new FormData()
    form.set('file', new Blob([bytes], { type: 'image/png' }), 'mine.png')
    expect((await fetch(ticket.uploadURL!, { method: 'POST', body: form })).status).toBe(200)
    expect(await client.images.v1.get(ticket.id!, { account_id })).toMatchObject({
      draft: false,
      requireSignedURLs: true,
      metadata: { from: 'app' },
    })
    const secondForm = new FormData()
    secondForm.set('file', new Blob([bytes]), 'again.png')
    expect((await fetch(ticket.uploadURL!, { method: 'POST', body: secondForm })).status).toBe(400)
  })

  it('creates, reads, changes and deletes a variant', async () => {
    const { variants } = client.images.v1
    const options = { fit: 'cover', width: 100, height: 50, metadata: 'none' } as const
    expect(
      await variants.create({ account_id, id: 'hero', options, neverRequireSignedURLs: true }),
    ).toMatchObject({ variant: { id: 'hero', options } })
    expect((await variants.list({ account_id })).variants).toHaveProperty('hero')
    await variants.edit('hero', { account_id, options: { ...options, width: 200 } })
    expect(await variants.get('hero', { account_id })).toMatchObject({
      variant: { options: { fit: 'cover', width: 200, height: 50 } },
    })
    await variants.delete('hero', { account_id })
    await expect(variants.get('hero', { account_id })).rejects.toMatchObject({ status: 404 })
  })

  it('maps failures to its own errors', async () => {
    const unauthorized = new Cloudflare({
      apiToken: 'unknown',
      baseURL: server.accountUrl,
      maxRetries: 0,
    })
    await expect(unauthorized.images.v2.list({ account_id })).rejects.toBeInstanceOf(
      Cloudflare.AuthenticationError,
    )
    await expect(client.images.v1.delete('never-was', { account_id })).rejects.toBeInstanceOf(
      Cloudflare.NotFoundError,
    )
    await expect(client.images.v1.create({ account_id })).rejects.toBeInstanceOf(
      Cloudflare.BadRequestError,
    )
    const limited = client.images.v2.list({ account_id }, { headers: { Prefer: 'code=429' } })
    await expect(limited).rejects.toBeInstanceOf(Cloudflare.RateLimitError)
  })
})
