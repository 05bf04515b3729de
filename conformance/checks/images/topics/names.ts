import { type Expectation, labelled, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { nonAscii, unusualIds } from '../support/edge-values.ts'
import { jsonAt, isSuccess, hasValue } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { ifRefused } from '../support/meanings.ts'
import { pixelFile } from '../support/requests.ts'
import { optionsOfMethod, uploadMethods } from '../support/upload-methods.ts'
import type { ImagesWorld } from '../support/world.ts'

/** Letters of `nonAscii.filename`, as they are if their bytes are read as ISO 8859-1. */
const misread = /(?:Å¾|å\u0086\u0099|ð\u009f)|\ufffd/

/** The server may derive a different filename, but not with wrongly decoded letters. */
const readsFilenameAsUtf8: Expectation<HttpExchange> = {
  name: 'is not misread',
  expected: 'a filename without wrongly decoded letters',
  test: (exchange) => !misread.test(String(jsonAt(exchange, 'result', 'filename'))),
  received: (exchange) => JSON.stringify(jsonAt(exchange, 'result', 'filename')) ?? 'no filename',
}

/** Ends the check if the server derives a filename without non-ASCII letters, which it may do. */
function requireLetters(stored: HttpExchange): void {
  if (!/[^\0-\x7f]/.test(String(jsonAt(stored, 'result', 'filename'))))
    throw new NotApplicable('the server derives a filename without these letters')
}

/** Expects that an image can be read under exactly this id. */
async function expectKept(world: ImagesWorld, label: string, id: string): Promise<void> {
  const kept = hasValue('is kept', ['result', 'id'], id)
  const isStored = (read: HttpExchange) =>
    kept.test(read) && jsonAt(read, 'result', 'draft') !== true
  const encoded = world.request.get(id)
  let read = await world.readUntil(encoded, isStored)
  // Some servers and proxies do not accept encoded slashes, and read several segments instead.
  if (!isStored(read) && id.includes('/'))
    read = await world.send({ ...encoded, url: encoded.url.replaceAll(/%2f/gi, '/') })
  world.expect(read, labelled(label, kept))
}

/** Uploads an image under each unusual id. Expects that the server keeps those that it accepts. */
async function expectUnusualIdsKept(
  world: ImagesWorld,
  upload: (id: string) => Promise<HttpExchange>,
): Promise<void> {
  const ids = Object.entries(unusualIds(world.newName))
  const uploads = await Promise.all(
    ids.map(async ([label, id]) => ({ label, id, exchange: await upload(id) })),
  )
  const accepted = uploads.filter(({ exchange }) => isSuccess(exchange))
  if (accepted.length === 0)
    throw new NotCovered(
      'the server accepts no long id, and no id with capital letters or special characters',
    )
  await Promise.all(accepted.map(({ label, id }) => expectKept(world, label, id)))
}

export const namesChecks = [
  check('IMG-UPLOAD-05', {
    title: 'keeps unusual ids of files: long, with capitals, with special characters',
    ...optionsOfMethod(uploadMethods.file),
    run: (world) =>
      expectUnusualIdsKept(world, (id) =>
        world.send({
          ...world.request.upload({ file: pixelFile, id }),
          meaning: ifRefused('invalid'),
        }),
      ),
  }),

  check('IMG-UPLOAD-05', {
    title: 'keeps unusual ids of uploads by URL: long, with capitals or special characters',
    ...optionsOfMethod(uploadMethods.url),
    async run(world) {
      const url = (await world.imageServer()).imageUrl(world.newName())
      await expectUnusualIdsKept(world, (id) =>
        world.send({ ...world.request.upload({ url, id }), meaning: ifRefused('invalid') }),
      )
    },
  }),

  check('IMG-TICKET-11', {
    title: 'keeps unusual ids of direct uploads: long, with capitals or special characters',
    run: (world) =>
      expectUnusualIdsKept(world, async (id) => {
        const { send, sendOrBlock, request } = world
        const ticket = await send({ ...request.ticket({ id }), meaning: ifRefused('invalid') })
        const uploadURL = jsonAt(ticket, 'result', 'uploadURL')
        return isSuccess(ticket) && typeof uploadURL === 'string'
          ? sendOrBlock(request.complete(uploadURL))
          : ticket
      }),
  }),

  check('IMG-GET-05', {
    title: 'returns an image if its id contains a plus sign that is not percent-encoded',
    async run({ send, idOf, readImage, blockIfOperationBroken, expect, request, newName }) {
      const id = `${newName()}+summer`
      const stored = await send({
        ...request.upload({ file: pixelFile, id }),
        meaning: ifRefused('invalid'),
      })
      if (!isSuccess(stored) || idOf(stored) !== id)
        throw new NotCovered('the server accepts no id with a plus sign')
      await readImage(id)
      const encoded = request.get(id)
      const url = encoded.url.replace('%2B', '+')
      const read = await send({ ...encoded, url, meaning: 'success' })
      expect(await blockIfOperationBroken(read), hasValue('is read', ['result', 'id'], id))
    },
  }),

  check('IMG-UPLOAD-11', {
    title: 'accepts a non-ASCII filename',
    async run({ expectSuccess, request }) {
      await expectSuccess(request.upload({ file: { ...pixelFile, filename: nonAscii.filename } }))
    },
  }),

  check('IMG-IMAGE-16', {
    title: 'reads the filename as UTF-8',
    async run({ sendOrBlock, expect, request }) {
      const file = { ...pixelFile, filename: nonAscii.filename }
      const stored = await sendOrBlock(request.upload({ file }))
      requireLetters(stored)
      expect(stored, labelled('a file', readsFilenameAsUtf8))
    },
  }),
  check('IMG-IMAGE-16', {
    title: 'reads the filename as UTF-8, at the batch host',
    needs: ['images.batch'],
    async run({ sendOrBlock, expect, request }) {
      const file = { ...pixelFile, filename: nonAscii.filename }
      const stored = await sendOrBlock(request.upload({ file }, 'batch'), 'IMG-BATCH-01')
      requireLetters(stored)
      expect(stored, labelled('the batch host', readsFilenameAsUtf8))
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
      const metadata = {
        camera: 'touchstone',
        frames: 3,
        tags: ['a', 'b'],
        raw: false,
        title: '',
        ' padded ': '  two spaces  ',
        'a.b': { 'c.d': [], e: {} },
        markup: '<b>"fish" & chips</b>',
        numbers: [0, -1.5, '007'],
      }
      const { id } = await storeImage({ metadata: JSON.stringify(metadata) }, 'IMG-UPLOAD-09')
      const kept = hasValue('is read back unchanged', ['result', 'metadata'], metadata)
      expect(await readUntil(request.get(id), kept.test), kept)
    },
  }),

  check('IMG-IMAGE-14', {
    title: 'records the value of metadata for an image that was uploaded without metadata',
    async run({ sharedImage, readImage, observe }) {
      const found = await readImage((await sharedImage()).id)
      observe(
        `metadata of an image that was uploaded without metadata: ${JSON.stringify(jsonAt(found, 'result', 'metadata')) ?? 'missing'}`,
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
