import { batchCheck as check } from '../support/define.ts'
import { hasValue, isSuccess, succeeded } from '../support/expectations.ts'
import { metadataOf } from '../support/edge-values.ts'
import { uploadUnfetchable } from '../support/fetched-uploads.ts'
import { noBatchImage } from '../support/read-back.ts'
import type { UploadFields } from '../support/requests.ts'
import { uploadMethods } from '../support/upload-methods.ts'

// Uploads by URL to the batch host, which servers may handle separately from files.

export const batchUrlsChecks = [
  check('IMG-BATCH-04', {
    title: 'fetches an image from a URL',
    needs: ['suite.pictures'],
    door: uploadMethods.url.name,
    async run({
      send,
      blockIfOperationBroken,
      expect,
      request,
      imageServer,
      newName,
      requireFetched,
    }) {
      const url = (await imageServer()).imageUrl(newName())
      const exchange = await send({ ...request.upload({ url }, 'batch'), meaning: 'success' })
      if (!isSuccess(exchange)) await requireFetched(url)
      expect(await blockIfOperationBroken(exchange), succeeded)
    },
  }),

  check('IMG-BATCH-04', {
    title: 'accepts the optional fields of an upload by URL',
    needs: ['suite.pictures', 'images.state'],
    async run(world) {
      const { sendOrBlock, expectSuccess, request, newName } = world
      const id = newName()
      const served = await world.imageServer()
      // A service may derive ids from the bytes, so each image has its own.
      const upload = (fields: UploadFields) => {
        const { file } = world.drawTestImage(...uploadMethods.batchUrl.size)
        return request.upload({ url: served.serve(newName(), file.value), ...fields }, 'batch')
      }
      await sendOrBlock(upload({}), 'IMG-BATCH-04')
      await Promise.all([
        expectSuccess(
          upload({ id }),
          'a URL with an id',
          hasValue('returns the id', ['result', 'id'], id),
        ),
        expectSuccess(
          upload({ requireSignedURLs: 'true' }),
          'a URL with requireSignedURLs',
          hasValue('returns the value', ['result', 'requireSignedURLs'], true),
        ),
        expectSuccess(upload({ metadata: metadataOf.bytes(1024) }), 'a URL with metadata'),
      ])
    },
  }),

  check('IMG-BATCH-05', {
    title: 'refuses an upload by URL with metadata that is too long or is not a JSON object',
    needs: ['suite.pictures'],
    async run({ expectRefusal, request, imageServer, newName }) {
      const [id, url] = [newName(), (await imageServer()).imageUrl(newName())]
      const upload = (name: string, json: string) =>
        request.upload({ id: name, url, metadata: json }, 'batch')
      const contrast = upload(newName(), '{"label":"touchstone"}')
      const readBack = noBatchImage(id)
      const invalid = {
        'a URL with 1025 bytes of metadata': metadataOf.bytes(1025),
        'a URL with an array as metadata': '["label"]',
        'a URL with malformed metadata': '{"label":',
      }
      await Promise.all(
        Object.entries(invalid).map(([label, json]) =>
          expectRefusal(upload(id, json), 'invalid', {
            contrast,
            root: 'IMG-BATCH-04',
            label,
            readBack,
          }),
        ),
      )
    },
  }),

  check('IMG-BATCH-05', {
    title: 'refuses a URL that returns 404, and one of an unknown protocol (touchstone)',
    needs: ['suite.pictures', 'images.state'],
    async run(world) {
      const { expectRefusal, request, imageServer, newName } = world
      const served = await imageServer()
      const [id, name] = [newName(), newName()]
      const upload = (id: string, url: string) => request.upload({ id, url }, 'batch')
      const contrast = upload(newName(), served.imageUrl(name))
      const readBack = noBatchImage(id)
      const unsupported = served.imageUrl(name).replace(/^https?:/, 'touchstone:')
      const missing = served.missingUrl(name)
      const uploadMissing = (id: string) => upload(id, missing)
      const refuseMissing = async () => {
        if (await uploadUnfetchable(world, missing, uploadMissing, 'unfetchable', 'batch'))
          await expectRefusal(uploadMissing(id), 'unfetchable', {
            contrast,
            root: 'IMG-BATCH-04',
            label: 'a URL that returns 404',
            readBack,
          })
      }
      await Promise.all([
        refuseMissing(),
        expectRefusal(upload(id, unsupported), 'invalid', {
          contrast,
          root: 'IMG-BATCH-04',
          label: 'an unsupported protocol',
          readBack,
        }),
      ])
    },
  }),
]
