import CloudflareImages from 'cloudflare-images-kit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { greyImage } from '../stateful/images/grey-image.ts'
import { imageMocks, type ClientsMock } from './image-mocks.testing.ts'
import { redirectToMock } from './redirect.testing.ts'

// This client parses every response with a schema, and returns null if the response does not match.
//
// Operations of the client that the contract does not have: `listImages` and `getFullListImages`
// (`GET images/v1`), `getUsageStats`, `getBaseImage`, `updateImage` and `refreshBatchToken`. With a
// batch token, `getImageDetails` reads from the batch host, which the contract does not describe.

const metadata = { place: 'Rügen' }

describe.each(imageMocks)('cloudflare-images-kit with the %s', (_name, { remembers, start }) => {
  let mock: ClientsMock
  let client: CloudflareImages
  const logged = vi.fn()

  beforeAll(async () => {
    mock = await start()
  })
  afterAll(() => mock.close())
  beforeEach(() => {
    client = new CloudflareImages({
      accountId: mock.options.account,
      apiKey: mock.options.tokens.api,
    })
    redirectToMock(mock)
    vi.spyOn(console, 'error').mockImplementation(logged)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    logged.mockReset()
  })

  const uploads = {
    uploadImageWithFile: (id: string | null, isPrivate = false) =>
      client.uploadImageWithFile(
        new File([new Uint8Array(greyImage)], 'sunset.png', { type: 'image/png' }),
        id,
        metadata,
        isPrivate,
      ),
    uploadImageWithBuffer: (id: string | null, isPrivate = false) =>
      client.uploadImageWithBuffer(Buffer.from(greyImage), 'sunset.png', id, metadata, isPrivate),
    uploadImage: async (id: string | null, isPrivate = false) =>
      client.uploadImage(await deliveryUrl(), id, metadata, isPrivate),
  }

  /** A URL from which the mock can fetch an image. */
  async function deliveryUrl(): Promise<string> {
    const source = await uploads.uploadImageWithFile(null)
    return String(source?.result.variants[0])
  }

  it.each(Object.entries(uploads))('%s', async (name, upload) => {
    const id = `trips/${name}`
    const filename = name === 'uploadImage' ? 'public' : 'sunset.png'
    const lists = { success: true, errors: [], messages: [] }
    expect(await upload(id)).toMatchObject({
      ...lists,
      result: { id, filename, requireSignedURLs: false },
    })
    expect(await upload(null, true)).toMatchObject({
      ...lists,
      result: { filename, requireSignedURLs: true },
    })
    expect(logged).not.toHaveBeenCalled()
  })

  it('getImageDetails', async () => {
    await uploads.uploadImageWithFile('harbour')
    expect(await client.getImageDetails('harbour')).toMatchObject({
      success: true,
      result: { id: 'harbour', requireSignedURLs: false, variants: expect.any(Array) },
    })
  })

  it('deleteImage', async () => {
    await uploads.uploadImageWithFile('pier')
    expect(await client.deleteImage('pier')).toBe(true)
    expect(logged).not.toHaveBeenCalled()
  })

  it('uploadImageWithFile, uploadImage and deleteImage at the batch host', async () => {
    const url = await deliveryUrl()
    // The client gets a batch token only by `refreshBatchToken`, which the contract does not have.
    Object.assign(client, {
      batchToken: { token: mock.options.tokens.batch, expiresAt: '9999', requests: 0 },
    })
    expect(await uploads.uploadImageWithFile('batch-file')).toMatchObject({
      result: { id: 'batch-file', filename: 'sunset.png' },
    })
    expect(await client.uploadImage(url, 'batch-url')).toMatchObject({
      result: { id: 'batch-url' },
    })
    expect(await client.deleteImage('batch-file')).toBe(true)
    expect(logged).not.toHaveBeenCalled()
  })

  it('reports failures', async () => {
    const stranger = new CloudflareImages({ accountId: mock.options.account, apiKey: 'unknown' })
    expect(await stranger.getImageDetails('harbour')).toBeNull()
    expect(await stranger.deleteImage('harbour')).toBe(false)
    expect(logged.mock.calls.map(([, error]) => (error as Error).message)).toEqual([
      'Unauthorized',
      'Unauthorized',
    ])
  })

  if (remembers)
    it('getImageDetails and deleteImage after deleteImage', async () => {
      await uploads.uploadImageWithFile('quay')
      expect(await client.deleteImage('quay')).toBe(true)
      expect(await client.getImageDetails('quay')).toBeNull()
      expect(await client.deleteImage('quay')).toBe(false)
    })
})
