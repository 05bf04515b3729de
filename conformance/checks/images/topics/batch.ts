import { storeAtBatchHost } from '../support/pages.ts'
import { batchCheck as check } from '../support/define.ts'
import { jsonAt, isSuccess, hasValue } from '../support/expectations.ts'
import { ifRefused } from '../support/meanings.ts'
import { nonAscii, metadataOf } from '../support/edge-values.ts'
import { nothingStored } from '../support/read-back.ts'
import { sharedEntryOf, sharedImageOf } from '../support/shared-image-records.ts'
import { idOfUpload, uploadMethods } from '../support/upload-methods.ts'
import type { HttpRequest, Part } from '../../../wire/index.ts'
import { pixelFile as file, type UploadFields } from '../support/requests.ts'
import { accountRoot } from '../support/roots.ts'

const metadata = '{"label":"touchstone"}'

/** The same upload, with the file before all other parts of the form. */
function withFileFirst(upload: HttpRequest): HttpRequest {
  const { body } = upload
  if (body?.kind !== 'form') return upload
  const isFile = ({ filename }: Part) => filename !== undefined
  const others = body.parts.filter((part) => !isFile(part))
  return { ...upload, body: { ...body, parts: [...body.parts.filter(isFile), ...others] } }
}

export const batchChecks = [
  check('IMG-BATCH-02', {
    title: 'lists images',
    root: accountRoot,
    async run({ expectSuccess, request }) {
      await expectSuccess(request.list({}, 'batch'))
    },
  }),

  check('IMG-BATCH-01', {
    title: 'stores the file of the form part "file"',
    async run({ expectSuccess, request }) {
      await expectSuccess(request.upload({ file }, 'batch'))
    },
  }),

  check('IMG-BATCH-03', {
    title: 'deletes an image',
    async run(world) {
      await world.expectSuccess(world.request.delete(await storeAtBatchHost(world), 'batch'))
    },
  }),

  check('IMG-BATCH-04', {
    title: 'accepts the optional fields of an upload',
    needs: ['images.state'],
    door: uploadMethods.file.name,
    async run({ expectSuccess, request, newName }) {
      const id = newName()
      const upload = (fields: UploadFields) => request.upload({ file, ...fields }, 'batch')
      await Promise.all([
        expectSuccess(upload({ id }), 'id', hasValue('returns the id', ['result', 'id'], id)),
        expectSuccess(
          upload({ requireSignedURLs: 'true' }),
          'requireSignedURLs',
          hasValue('returns the value', ['result', 'requireSignedURLs'], true),
        ),
        expectSuccess(upload({ metadata: metadataOf.bytes(1024) }), '1024 bytes of metadata'),
      ])
    },
  }),

  check('IMG-BATCH-04', {
    title: 'returns a long id as it was sent',
    needs: ['images.state'],
    door: 'a long id',
    async run(world) {
      const { id, upload } = await sharedImageOf(world, uploadMethods.batch)
      world.expect(upload!, hasValue('returns the id', ['result', 'id'], id))
    },
  }),

  check('IMG-BATCH-05', {
    title: 'refuses an upload with neither file nor url, or with both',
    needs: ['suite.pictures'],
    door: uploadMethods.file.name,
    async run({ expectRefusal, request, imageServer, newName, newFile }) {
      const url = (await imageServer()).imageUrl(newName())
      const [id, refusedFile] = [newName(), newFile()]
      const readBack = nothingStored(id, refusedFile, 'batch')
      const contrast = request.upload({ file: newFile(), id: newName() }, 'batch')
      await Promise.all([
        expectRefusal(request.upload({ id }, 'batch'), 'invalid', {
          contrast,
          root: 'IMG-BATCH-01',
          label: 'neither a file nor a URL',
          readBack,
        }),
        expectRefusal(request.upload({ file: refusedFile, id, url }, 'batch'), 'invalid', {
          contrast,
          root: 'IMG-BATCH-01',
          label: 'a file and a URL',
          readBack,
        }),
      ])
    },
  }),

  check('IMG-BATCH-05', {
    title: 'refuses metadata that is too long or is not a JSON object',
    door: uploadMethods.file.name,
    async run({ expectRefusal, request, newName, newFile }) {
      const [id, refusedFile] = [newName(), newFile()]
      const readBack = nothingStored(id, refusedFile, 'batch')
      const valid = { file: newFile(), id: newName(), metadata }
      const contrast = request.upload(valid, 'batch')
      const upload = (json: string) =>
        request.upload({ file: refusedFile, id, metadata: json }, 'batch')
      const invalid = {
        '1025 bytes': metadataOf.bytes(1025),
        'an array': '["label"]',
        'malformed JSON': '{"label":',
      }
      await Promise.all(
        Object.entries(invalid).map(([label, json]) =>
          expectRefusal(upload(json), 'invalid', {
            contrast,
            root: 'IMG-BATCH-01',
            label,
            readBack,
          }),
        ),
      )
    },
  }),

  ...[uploadMethods.batch, uploadMethods.batchUrl].map((method) =>
    check('IMG-BATCH-07', {
      title: `lists an image from ${method.name} until it is deleted`,
      needs: [...method.needs],
      door: method.name,
      sendsEarly: true,
      async run(world) {
        const { isListed, sendOrBlock, expectValue, request } = world
        // A service may derive ids from the bytes, so no other check uploads the same bytes.
        const { file } = world.drawTestImage(...method.size)
        const id = idOfUpload(world, await method.upload(world, { file }))
        expectValue(await isListed(id, true, 'batch'), {
          name: 'is listed',
          expected: `an image with the id ${id} on some page`,
          test: (found) => found,
          received: () => 'no such image on any page',
        })
        await sendOrBlock(request.delete(id, 'batch'))
        expectValue(await isListed(id, false, 'batch'), {
          name: 'is no longer listed',
          expected: `no image with the id ${id} on any page`,
          test: (found) => !found,
          received: () => 'the image is listed',
        })
      },
    }),
  ),

  check('IMG-BATCH-07', {
    title: 'lists an image with a long id',
    door: 'a long id',
    async run(world) {
      const { id } = await sharedImageOf(world, uploadMethods.batch)
      world.expectValue(await sharedEntryOf(world, uploadMethods.batch), {
        name: 'is listed',
        expected: `an image with the id ${id} on some page`,
        test: (entry) => entry !== undefined,
        received: () => 'no such image on any page',
      })
    },
  }),

  check('IMG-BATCH-08', {
    title: 'records whether the account host returns images of the batch host',
    needs: ['images.state'],
    async run(world) {
      const read = await world.send(world.request.get(await storeAtBatchHost(world)))
      world.observe(
        `an upload to the batch host, read on the account host: status ${read.status} ${isSuccess(read) ? String(jsonAt(read, 'result', 'id')) : ''}`.trim(),
      )
    },
  }),

  check('IMG-BATCH-09', {
    title: 'records the response to the deletion of an unknown image on the batch host',
    async run({ send, observe, request, newName }) {
      const attempt = { ...request.delete(newName(), 'batch'), meaning: ifRefused('absent') }
      observe(`the deletion of an unknown image: ${(await send(attempt)).summary}`)
    },
  }),

  check('IMG-UPLOAD-18', {
    title: 'uses the form parts that follow the file of an upload to the batch host',
    door: 'batchUploadImage',
    async run({ sendOrBlock, expectSuccess, request, newName }) {
      const upload = (fields: UploadFields) => request.upload({ file, ...fields }, 'batch')
      const [id, isPrivate] = [newName(), { requireSignedURLs: 'true' }]
      // First ensures that the server accepts uploads in which these parts precede the file.
      await Promise.all([
        sendOrBlock(upload({ id: newName() }), 'IMG-BATCH-04'),
        sendOrBlock(upload(isPrivate), 'IMG-BATCH-04'),
      ])
      await Promise.all([
        expectSuccess(
          withFileFirst(upload({ id })),
          'id',
          hasValue('is used', ['result', 'id'], id),
        ),
        expectSuccess(
          withFileFirst(upload(isPrivate)),
          'requireSignedURLs',
          hasValue('is used', ['result', 'requireSignedURLs'], true),
        ),
      ])
    },
  }),

  check('IMG-BATCH-12', {
    title: 'accepts a non-ASCII filename',
    async run({ expectSuccess, request }) {
      await expectSuccess(
        request.upload({ file: { ...file, filename: nonAscii.filename } }, 'batch'),
      )
    },
  }),

  check('IMG-BATCH-12', {
    title: 'keeps non-ASCII metadata, as read through the account host',
    needs: ['images.state'],
    sendsEarly: true,
    async run({ sendOrBlock, expectSuccess, readUntil, expect, request, newName }) {
      const upload = (json: string, id: string) =>
        request.upload({ file, id, metadata: json }, 'batch')
      await sendOrBlock(upload(metadata, newName()), 'IMG-BATCH-04')
      // The batch host never returns metadata, so the image is read on the account host, which need
      // not contain it. The suite chooses the id, because otherwise the account host could generate
      // the same id for a different image.
      const id = newName()
      await expectSuccess(upload(JSON.stringify(nonAscii.metadata), id))
      const kept = hasValue('is read back unchanged', ['result', 'metadata'], nonAscii.metadata)
      const read = await readUntil(request.get(id), kept.test)
      if (isSuccess(read) && jsonAt(read, 'result', 'id') === id) expect(read, kept)
    },
  }),
]
