import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { greyImage } from '../stateful/images/grey-image.ts'
import { imageMocks, type ClientsMock } from './image-mocks.testing.ts'
import { redirectToMock } from './redirect.testing.ts'

// This client stores the files that the middleware multer receives. Its two methods are the
// interface of a storage of multer. It sends no id and no metadata.

/** The package declares no types for ES modules. */
interface Storage {
  _handleFile(
    request: undefined,
    file: { stream: Readable; originalname: string },
    callback: (error: Error | null, stored?: StoredFile) => void,
  ): void
  _removeFile(request: undefined, file: StoredFile, callback: (error: Error | null) => void): void
}

interface StoredFile {
  path: string
  filename: string
  destination: string
}

const require = createRequire(import.meta.url)
const { CloudflareStorage } = require('multer-cloudflare-storage') as {
  CloudflareStorage: new (account: string, token: string) => Storage
}

describe.each(imageMocks)('multer-cloudflare-storage with the %s', (_name, mocks) => {
  let mock: ClientsMock
  beforeAll(async () => {
    mock = await mocks.start()
  })
  afterAll(() => mock.close())
  beforeEach(() => redirectToMock(mock))
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  const newStorage = (token = mock.options.tokens.api) => {
    const storage = new CloudflareStorage(mock.options.account, token)
    return {
      handleFile: () =>
        promisify(storage._handleFile.bind(storage))(undefined, {
          stream: Readable.from([Buffer.from(greyImage)]),
          originalname: 'sunset.png',
        }) as Promise<StoredFile>,
      removeFile: (file: StoredFile) =>
        promisify(storage._removeFile.bind(storage))(undefined, file),
    }
  }

  it('_handleFile and _removeFile', async () => {
    const { handleFile, removeFile } = newStorage()
    const stored = await handleFile()
    expect(stored).toEqual({
      path: expect.stringContaining(stored.destination),
      filename: 'sunset.png',
      destination: expect.any(String),
    })
    const delivered = await fetch(stored.path)
    expect(delivered.headers.get('content-type')).toBe('image/png')
    await expect(removeFile(stored)).resolves.toBeUndefined()
  })

  it('reports failures', async () => {
    const stored = await newStorage().handleFile()
    const { handleFile, removeFile } = newStorage('unknown')
    await expect(handleFile()).rejects.toThrow('error in uploading')
    await expect(removeFile(stored)).rejects.toThrow('error in deleting')
  })

  if (mocks.remembers)
    it('_removeFile reports that the image was removed before', async () => {
      const { handleFile, removeFile } = newStorage()
      const stored = await handleFile()
      await removeFile(stored)
      await expect(removeFile(stored)).rejects.toThrow('error in deleting')
    })
})
