import { nonAscii } from '../support/edge-values.ts'
import { jsonAt, isSuccess, hasValue } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { pixelFile } from '../support/requests.ts'

export const namesChecks = [
  check('IMG-UPLOAD-11', {
    title: 'accepts a non-ASCII filename',
    async run({ expectSuccess, request }) {
      await expectSuccess(request.upload({ file: { ...pixelFile, filename: nonAscii.filename } }))
    },
  }),

  check('IMG-UPLOAD-11', {
    title: 'keeps non-ASCII metadata',
    needs: ['images.state'],
    async run({ expectSuccess, readUntil, expect, idOf, request }) {
      const { metadata } = nonAscii
      const stored = await expectSuccess(
        request.upload({ file: pixelFile, metadata: JSON.stringify(metadata) }),
      )
      const kept = hasValue('is read back unchanged', ['result', 'metadata'], metadata)
      expect(await readUntil(request.get(idOf(stored)), kept.test), kept)
    },
  }),

  check('IMG-IMAGE-13', {
    title: 'returns the metadata of an upload',
    async run({ storeImage, readUntil, expect, request }) {
      const metadata = { camera: 'touchstone', frames: 3, tags: ['a', 'b'], raw: false }
      const { id } = await storeImage({ metadata: JSON.stringify(metadata) }, 'IMG-UPLOAD-09')
      const kept = hasValue('is read back unchanged', ['result', 'metadata'], metadata)
      expect(await readUntil(request.get(id), kept.test), kept)
    },
  }),

  check('IMG-IMAGE-14', {
    title: 'records the value of metadata for an image that was uploaded without it',
    async run({ sharedImage, readImage, observe }) {
      const found = await readImage((await sharedImage()).id)
      observe(
        `metadata of an image without metadata: ${JSON.stringify(jsonAt(found, 'result', 'metadata')) ?? 'missing'}`,
      )
    },
  }),

  check('IMG-UPLOAD-12', {
    title: 'records how unusual ids are handled',
    async run({ send, observe, request, newName }) {
      for (const id of [`${newName()}/inner/part`, `${newName()}-ünïcode-馬`]) {
        const stored = await send(request.upload({ file: pixelFile, id }))
        const read = isSuccess(stored)
          ? `; reading the image: status ${(await send(request.get(id))).status}`
          : ''
        observe(
          `an upload with ${id.includes('/') ? 'slashes in the id' : 'a non-ASCII id'}: status ${stored.status}${read}`,
        )
      }
    },
  }),
]
