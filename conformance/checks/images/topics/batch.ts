import { stored } from '../support/page-walks.ts'
import { batchCheck as check } from '../support/define.ts'
import { at, isSuccess, shows, succeeded } from '../support/expectations.ts'
import { beyondAscii, metadataOf } from '../support/edge-values.ts'
import { pixelFile as file, type UploadFields } from '../support/requests.ts'
import { accountRoot } from '../support/roots.ts'

const metadata = '{"label":"touchstone"}'

export const batch = [
  check('IMG-BATCH-02', {
    title: 'lists images',
    root: accountRoot,
    async run({ succeeds, request }) {
      await succeeds(request.list({}, 'batch'))
    },
  }),

  check('IMG-BATCH-01', {
    title: 'stores the part named file',
    async run({ succeeds, request }) {
      await succeeds(request.upload({ file }, 'batch'))
    },
  }),

  check('IMG-BATCH-03', {
    title: 'deletes an image',
    async run(world) {
      await world.succeeds(world.request.remove(await stored(world), 'batch'))
    },
  }),

  check('IMG-BATCH-04', {
    title: 'takes the optional fields of an upload',
    needs: ['images.state'],
    async run({ succeeds, request, name }) {
      const id = name()
      const upload = (fields: UploadFields) => request.upload({ file, ...fields }, 'batch')
      await Promise.all([
        succeeds(upload({ id }), 'id', shows('has it', ['result', 'id'], id)),
        succeeds(
          upload({ requireSignedURLs: 'true' }),
          'requireSignedURLs',
          shows('has it', ['result', 'requireSignedURLs'], true),
        ),
        succeeds(upload({ metadata: metadataOf.bytes(1024) }), '1024 bytes of metadata'),
      ])
    },
  }),

  check('IMG-BATCH-04', {
    title: 'fetches a picture from a URL',
    needs: ['suite.pictures'],
    async run({ send, blockIfOperationBroken, expect, request, pictures, name, cameToFetch }) {
      const url = (await pictures()).picture(name())
      const exchange = await send({ ...request.upload({ url }, 'batch'), meaning: 'success' })
      if (!isSuccess(exchange)) await cameToFetch(url)
      expect(await blockIfOperationBroken(exchange), succeeded)
    },
  }),

  check('IMG-BATCH-05', {
    title: 'refuses an upload without a picture and one with two',
    needs: ['suite.pictures'],
    async run({ refuses, request, pictures, name }) {
      const url = (await pictures()).picture(name())
      const requireSignedURLs = 'false'
      const contrast = request.upload({ file, requireSignedURLs }, 'batch')
      await Promise.all([
        refuses(request.upload({ requireSignedURLs }, 'batch'), 'invalid', {
          contrast,
          root: 'IMG-BATCH-01',
          label: 'neither',
        }),
        refuses(request.upload({ file, requireSignedURLs, url }, 'batch'), 'invalid', {
          contrast,
          root: 'IMG-BATCH-01',
          label: 'both',
        }),
      ])
    },
  }),

  check('IMG-BATCH-05', {
    title: 'refuses metadata that is too long or no JSON object',
    async run({ refuses, request }) {
      const upload = (text: string) => request.upload({ file, metadata: text }, 'batch')
      const contrast = upload(metadata)
      const wrong = {
        '1025 bytes': metadataOf.bytes(1025),
        'an array': '["label"]',
        'broken JSON': '{"label":',
      }
      await Promise.all(
        Object.entries(wrong).map(([label, text]) =>
          refuses(upload(text), 'invalid', { contrast, root: 'IMG-BATCH-01', label }),
        ),
      )
    },
  }),

  check('IMG-BATCH-07', {
    title: 'lists an upload until it is deleted',
    sendsEarly: true,
    async run(world) {
      const { listed, given, expectOf, request } = world
      const id = await stored(world)
      expectOf(await listed(id, true, 'batch'), {
        name: 'is listed',
        expected: `an entry for ${id}`,
        test: (found) => found,
        received: () => 'no such entry on any page',
      })
      await given(request.remove(id, 'batch'))
      expectOf(await listed(id, false, 'batch'), {
        name: 'is not listed any more',
        expected: `no entry for ${id}`,
        test: (found) => !found,
        received: () => 'still an entry for it',
      })
    },
  }),

  check('IMG-BATCH-08', {
    title: 'shares its images with the account host or does not',
    needs: ['images.state'],
    async run(world) {
      const read = await world.send(world.request.get(await stored(world)))
      world.observe(
        `an upload of the batch host, read at the account host: ${read.status} ${isSuccess(read) ? String(at(read, 'result', 'id')) : ''}`.trim(),
      )
    },
  }),

  check('IMG-BATCH-09', {
    title: 'finds nothing to delete under an unknown id',
    async run(world) {
      const { refuses, request, name } = world
      await refuses(request.remove(name(), 'batch'), 'absent', {
        contrast: request.remove(await stored(world), 'batch'),
      })
    },
  }),

  check('IMG-BATCH-12', {
    title: 'takes a filename beyond ASCII',
    async run({ succeeds, request }) {
      await succeeds(request.upload({ file: { ...file, filename: beyondAscii.filename } }, 'batch'))
    },
  }),

  check('IMG-BATCH-12', {
    title: 'takes metadata beyond ASCII, and keeps it as far as the account host shows',
    needs: ['images.state'],
    sendsEarly: true,
    async run({ given, succeeds, settled, expect, request, name }) {
      const upload = (text: string, id: string) =>
        request.upload({ file, id, metadata: text }, 'batch')
      await given(upload(metadata, name()), 'IMG-BATCH-04')
      // Nothing at the batch host shows metadata, and the account host may know nothing of this image. Hosts that number their images apart may
      // give two of them one id: one that the run made up itself belongs to no other.
      const id = name()
      await succeeds(upload(JSON.stringify(beyondAscii.metadata), id))
      const kept = shows('reads back as it was', ['result', 'metadata'], beyondAscii.metadata)
      const read = await settled(request.get(id), kept.test)
      if (isSuccess(read) && at(read, 'result', 'id') === id) expect(read, kept)
    },
  }),
]
