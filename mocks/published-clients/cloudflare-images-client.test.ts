import { CloudflareImagesClient } from 'cloudflare-images-client'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { greyImage } from '../stateful/images/grey-image.ts'
import { imageMocks, type ClientsMock } from './image-mocks.testing.ts'
import { redirectToMock } from './redirect.testing.ts'

// This client returns the body of every response, as its types describe it.
//
// Its types differ from the contract in one member: they call the metadata of an image `meta`.
//
// Operations of the client that the contract does not have: `getImageStatistics`, `getImageAsBlob`
// and `updateImage`.

const envelope = { success: true, errors: [], messages: [] }
const metadata = { place: 'Rügen' }
const image = {
  id: expect.any(String) as string,
  filename: expect.any(String) as string,
  uploaded: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
  requireSignedURLs: expect.any(Boolean) as boolean,
  variants: expect.arrayContaining([expect.stringMatching(/^http:/)]) as string[],
}

describe.each(imageMocks)('cloudflare-images-client with the %s', (_name, { remembers, start }) => {
  let mock: ClientsMock
  let client: CloudflareImagesClient
  let folder: string
  let filePath: string

  beforeAll(async () => {
    mock = await start()
    const { account: accountId, tokens } = mock.options
    client = new CloudflareImagesClient({ accountId, apiToken: tokens.api })
    folder = await mkdtemp(join(tmpdir(), 'touchstone-client-'))
    filePath = join(folder, 'sunset.png')
    await writeFile(filePath, greyImage)
  })
  afterAll(async () => {
    await mock.close()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => redirectToMock(mock))
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  const upload = async () => {
    const fileName = 'sunset.png'
    const { result } = await client.uploadImageFromFile({ filePath, fileName, metadata })
    return result!
  }

  it('uploadImageFromFile', async () => {
    expect(
      await client.uploadImageFromFile({
        filePath,
        fileName: 'sunset.png',
        metadata,
        requireSignedURLs: true,
      }),
    ).toEqual({
      ...envelope,
      result: { ...image, filename: 'sunset.png', requireSignedURLs: true },
    })
    expect(await client.uploadImageFromFile({ filePath, metadata })).toEqual({
      ...envelope,
      result: { ...image, filename: 'filename_for_cloudflare', requireSignedURLs: false },
    })
  })

  it('uploadImageFromUrl', async () => {
    const url = String((await upload()).variants[0])
    expect(await client.uploadImageFromUrl({ url, metadata })).toEqual({
      ...envelope,
      result: { ...image, filename: 'public', requireSignedURLs: false },
    })
    expect(await client.uploadImageFromUrl({ url, requireSignedURLs: true })).toMatchObject({
      result: { requireSignedURLs: true },
    })
  })

  it('getImageDetails', async () => {
    const { id } = await upload()
    expect(await client.getImageDetails(id)).toMatchObject({
      ...envelope,
      result: { ...image, id, draft: false, metadata: expect.any(Object) },
    })
  })

  it('listImages', async () => {
    await upload()
    const { result, ...rest } = await client.listImages({ per_page: 100, sort_order: 'asc' })
    expect(rest).toEqual(envelope)
    expect(result?.images).not.toEqual([])
    for (const listed of result!.images) expect(listed).toEqual(image)
  })

  it('deleteOneImage and deleteManyImages', async () => {
    const ids = [(await upload()).id, (await upload()).id, (await upload()).id]
    const deleted = { ...envelope, result: {} }
    expect(await client.deleteOneImage(ids[0]!)).toEqual(deleted)
    expect(await client.deleteManyImages(ids.slice(1))).toEqual([deleted, deleted])
  })

  it('returns failures', async () => {
    const { account: accountId } = mock.options
    const stranger = new CloudflareImagesClient({ accountId, apiToken: 'unknown' })
    expect(await stranger.getImageDetails('harbour')).toEqual({
      success: false,
      errors: [{ code: expect.any(Number), message: expect.any(String) }],
      messages: [],
      result: null,
    })
  })

  describe('does not meet the contract', () => {
    it('when it sends missing metadata as the text "undefined"', async () => {
      expect(await client.uploadImageFromFile({ filePath })).toMatchObject({
        success: false,
        errors: [{ code: 5400 }],
      })
    })

    it('when it lists 1000 images per page by default', async () => {
      expect(await client.listImages()).toMatchObject({ success: false, errors: [{ code: 5400 }] })
    })

    it('when it searches for duplicates in a page of 1000 images', async () => {
      const info = vi.spyOn(console, 'info').mockImplementation(() => {})
      await upload()
      await upload()
      await client.deleteDuplicateImages()
      expect(info).toHaveBeenCalledWith('all cloudflare urls are unique', true)
    })
  })

  if (remembers) {
    it('getImageDetails after deleteOneImage', async () => {
      const { id } = await upload()
      await client.deleteOneImage(id)
      expect(await client.getImageDetails(id)).toMatchObject({ success: false, result: null })
    })

    it('getImageDetails returns the metadata of the upload', async () => {
      const { id } = await upload()
      expect(await client.getImageDetails(id)).toMatchObject({ result: { metadata } })
    })
  }
})
