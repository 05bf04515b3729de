import Cloudflare, { toFile } from 'cloudflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startContractImages, type ContractImagesServer } from './images.ts'

// A published client must be able to read what the contract mock returns. The client was written
// independently of this project.
let mock: ContractImagesServer
let client: Cloudflare
const account_id = 'acc-1'
const options = { fit: 'cover', width: 160, height: 120, metadata: 'none' } as const

beforeAll(async () => {
  mock = await startContractImages()
  client = new Cloudflare({
    apiToken: mock.options.tokens.api,
    baseURL: mock.accountUrl,
    maxRetries: 0,
  })
})
afterAll(() => mock.close())

it('returns envelopes with all members that clients require', async () => {
  const response = await client.images.v1.get('harbour', { account_id }).asResponse()
  expect(await response.json()).toEqual({
    success: true,
    errors: [],
    messages: [],
    result: expect.objectContaining({ id: 'harbour' }),
  })
})

it('stores, lists and deletes images for a published client', async () => {
  const file = await toFile(Buffer.from('the bytes'), 'harbour.png', { type: 'image/png' })
  const created = await client.images.v1.create({ account_id, file, id: 'harbour' })
  expect(created).toMatchObject({ id: 'harbour', variants: expect.any(Array) })
  const page = await client.images.v2.list({ account_id, per_page: 10 })
  expect(page.images).toHaveLength(2)
  expect(await client.images.v1.delete('harbour', { account_id })).toEqual({})
})

it('returns variants in the form that a published client reads', async () => {
  const { variants } = client.images.v1
  expect(await variants.create({ account_id, id: 'hero', options })).toMatchObject({
    variant: { id: 'hero', options },
  })
  expect((await variants.list({ account_id })).variants).toHaveProperty('thumb')
  expect(await variants.get('hero', { account_id })).toMatchObject({ variant: { id: 'hero' } })
  expect(await variants.edit('hero', { account_id, options })).toMatchObject({
    variant: { id: 'hero' },
  })
  expect(await variants.delete('hero', { account_id })).toEqual({})
})

it('accepts a ticket request as a form, as a published client sends it', async () => {
  const { directUploads } = client.images.v2
  const expiry = new Date(Date.now() + 3_600_000).toISOString()
  const ticket = await directUploads.create({
    account_id,
    expiry,
    metadata: { from: 'app' },
    requireSignedURLs: true,
  })
  expect(ticket).toMatchObject({ id: expect.any(String), uploadURL: expect.any(String) })
  expect(
    await directUploads.create({ account_id, id: 'visitor-12', requireSignedURLs: false }),
  ).toMatchObject({ id: 'visitor-12' })
  await expect(
    directUploads.create({ account_id, id: 'visitor-12', requireSignedURLs: true }),
  ).rejects.toBeInstanceOf(Cloudflare.BadRequestError)
})
