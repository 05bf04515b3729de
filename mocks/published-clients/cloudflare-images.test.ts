import { CloudflareClient } from 'cloudflare-images'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { greyImage } from '../stateful/images/grey-image.ts'
import { imageMocks, type ClientsMock } from './image-mocks.testing.ts'
import { redirectToMock } from './redirect.testing.ts'

// This client sends requests with axios, and returns the body of every success, as its types
// describe it. These differ from the contract and from other clients in several members:
//
// - The metadata of an image is called `meta`, and codes of errors are strings.
// - The result of `createVariant` has an `id` next to the variant, and that of `updateVariant` the
//   request as `o`. The client does not read them, and `cloudflare` expects only the variant.
// - `neverRequireSignedURLs` is one of the options of a variant.
//
// Operations of the client that the contract does not have: `listImages` (`GET images/v1`),
// `downloadImage`, `updateImage` and `getStats`.

const envelope = { success: true, errors: [], messages: [] }
const options = { fit: 'pad', width: 320, height: 200, metadata: 'copyright' } as const
const metadata = { place: 'Rügen' }

describe.each(imageMocks)('cloudflare-images with the %s', (_name, { remembers, start }) => {
  let mock: ClientsMock
  let client: CloudflareClient
  let folder: string
  let path: string

  beforeAll(async () => {
    mock = await start()
    const { account: accountId, tokens } = mock.options
    client = new CloudflareClient({ accountId, apiKey: tokens.api })
    folder = await mkdtemp(join(tmpdir(), 'touchstone-client-'))
    path = join(folder, 'sunset.png')
    await writeFile(path, greyImage)
  })
  afterAll(async () => {
    await mock.close()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    redirectToMock(mock)
    // A proxy in the environment must not receive the requests of axios.
    vi.stubEnv('no_proxy', '*')
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  const upload = (id: string, requireSignedURLs = false) =>
    client.createImageFromBuffer(
      { id, fileName: 'sunset.png', metadata, requireSignedURLs },
      Buffer.from(greyImage),
    )
  const imageOf = (id: string, requireSignedURLs: boolean) => ({
    id,
    filename: 'sunset.png',
    uploaded: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    requireSignedURLs,
    variants: expect.arrayContaining([expect.stringMatching(/^http:/)]) as string[],
  })

  it('createImageFromBuffer', async () => {
    expect(await upload('trips/sunset')).toEqual({
      ...envelope,
      result: imageOf('trips/sunset', false),
    })
    expect(await upload('private', true)).toEqual({ ...envelope, result: imageOf('private', true) })
  })

  it('createImageFromFile', async () => {
    expect(await client.createImageFromFile({ id: 'from-file', fileName: '' }, path)).toEqual({
      ...envelope,
      result: imageOf('from-file', false),
    })
  })

  it('getImage', async () => {
    await upload('harbour')
    expect(await client.getImage('harbour')).toMatchObject({
      ...envelope,
      result: { id: 'harbour', requireSignedURLs: false, draft: false },
    })
  })

  it('deleteImage', async () => {
    await upload('pier')
    expect(await client.deleteImage('pier')).toEqual({ ...envelope, result: {} })
  })

  it('createVariant, getVariant, listVariants, updateVariant and deleteVariant', async () => {
    const { success: _success, ...lists } = envelope
    expect(await client.createVariant({ id: 'thumb', options })).toEqual({
      ...envelope,
      result: { variant: { id: 'thumb', options, neverRequireSignedURLs: false } },
    })
    const variant = { id: 'thumb', options: expect.any(Object) }
    expect(await client.getVariant('thumb')).toMatchObject({ ...lists, result: { variant } })
    expect(await client.listVariants()).toMatchObject({
      ...lists,
      result: { variants: { thumb: variant } },
    })
    // The types of the client omit the options of a change.
    const change = { options: { width: 640 } } as unknown as { id: string }
    expect(await client.updateVariant('thumb', change)).toMatchObject({
      ...lists,
      result: { variant: { id: 'thumb', options: { width: 640 } } },
    })
    expect(await client.deleteVariant('thumb')).toEqual({ ...envelope, result: {} })
  })

  describe('has defects', () => {
    it('it appends an object to the form of createImageFromUrl, which fails', async () => {
      const url = 'http://127.0.0.1:9/sunset.png'
      await expect(
        client.createImageFromUrl({ id: 'url', fileName: 'a.png' }, url),
      ).rejects.toThrow('source.on is not a function')
    })

    it('it reads failures as text, which fails for JSON', async () => {
      const { account: accountId } = mock.options
      const stranger = new CloudflareClient({ accountId, apiKey: 'unknown' })
      await expect(stranger.getImage('harbour')).rejects.toThrow('trim is not a function')
    })
  })

  if (remembers)
    it('getImage and getVariant after deletions', async () => {
      await upload('quay')
      await client.deleteImage('quay')
      await expect(client.getImage('quay')).rejects.toThrow()
      await client.createVariant({ id: 'hero', options })
      expect(await client.getVariant('hero')).toMatchObject({ result: { variant: { options } } })
      await client.deleteVariant('hero')
      await expect(client.getVariant('hero')).rejects.toThrow()
    })
})
