import { beyondAscii } from '../support/edge-values.ts'
import { at, isSuccess, shows } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { pixelFile } from '../support/requests.ts'

export const names = [
  check('IMG-UPLOAD-11', {
    title: 'takes a filename beyond ASCII',
    async run({ succeeds, request }) {
      await succeeds(request.upload({ file: { ...pixelFile, filename: beyondAscii.filename } }))
    },
  }),

  check('IMG-UPLOAD-11', {
    title: 'keeps metadata beyond ASCII',
    needs: ['images.state'],
    async run({ succeeds, settled, expect, idOf, request }) {
      const { metadata } = beyondAscii
      const stored = await succeeds(
        request.upload({ file: pixelFile, metadata: JSON.stringify(metadata) }),
      )
      const kept = shows('reads back as it was', ['result', 'metadata'], metadata)
      expect(await settled(request.get(idOf(stored)), kept.test), kept)
    },
  }),

  check('IMG-IMAGE-13', {
    title: 'reads back the metadata of an upload',
    async run({ store, settled, expect, request }) {
      const metadata = { camera: 'touchstone', frames: 3, tags: ['a', 'b'], raw: false }
      const { id } = await store({ metadata: JSON.stringify(metadata) }, 'IMG-UPLOAD-09')
      const kept = shows('reads back as it was', ['result', 'metadata'], metadata)
      expect(await settled(request.get(id), kept.test), kept)
    },
  }),

  check('IMG-IMAGE-14', {
    title: 'shows something for metadata that was not given',
    async run({ image, read, observe }) {
      const found = await read((await image()).id)
      observe(`metadata is ${JSON.stringify(at(found, 'result', 'metadata')) ?? 'absent'}`)
    },
  }),

  check('IMG-UPLOAD-12', {
    title: 'does something with unusual ids',
    async run({ send, observe, request, name }) {
      for (const id of [`${name()}/inner/part`, `${name()}-ünïcode-馬`]) {
        const stored = await send(request.upload({ file: pixelFile, id }))
        const read = isSuccess(stored)
          ? `, reading it gives ${(await send(request.get(id))).status}`
          : ''
        observe(
          `${id.includes('/') ? 'an id with slashes' : 'an id beyond ASCII'}: ${stored.status}${read}`,
        )
      }
    },
  }),

  check('IMG-UPLOAD-13', {
    title: 'does something with an id that is in use',
    async run({ store, send, observe, request, name }) {
      const { id } = await store({ id: name() }, 'IMG-UPLOAD-05')
      observe(
        `a second upload under the same id: ${(await send(request.upload({ file: pixelFile, id }))).status}`,
      )
    },
  }),
]
