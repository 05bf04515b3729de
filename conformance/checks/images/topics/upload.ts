import { jsonAt, hasValue } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { noImage, nothingStored } from '../support/read-back.ts'
import type { Part } from '../../../wire/index.ts'
import { pixelFile as file } from '../support/requests.ts'

const metadata = '{"label":"touchstone"}'

export const uploadChecks = [
  check('IMG-UPLOAD-01', {
    title: 'stores the file of the form part "file"',
    async run({ expectSuccess, request }) {
      await expectSuccess(request.upload({ file }))
    },
  }),

  check('IMG-UPLOAD-17', {
    title: 'accepts forms with a quoted boundary, a preamble or lower-case header names',
    async run({ expectSuccess, request }) {
      const parts = [file]
      const upload = request.upload({ file })
      for (const syntax of ['quoted boundary', 'preamble', 'lower-case headers'] as const)
        await expectSuccess({ ...upload, body: { kind: 'form', parts, syntax } }, syntax)
    },
  }),

  check('IMG-IMAGE-02', {
    title: 'generates a different id for each image',
    async run({ storeImage, expectValue }) {
      const ids = (await Promise.all([storeImage(), storeImage()])).map(({ id }) => id)
      expectValue(ids, {
        name: 'ids differ',
        expected: 'two different ids',
        test: ([a, b]) => a !== b,
        received: ([id]) => `the id ${id} for both images`,
      })
    },
  }),

  check('IMG-IMAGE-03', {
    title: 'records the format of generated ids',
    async run({ sharedImage, observe }) {
      observe(`a generated id: ${(await sharedImage()).id}`)
    },
  }),

  check('IMG-IMAGE-05', {
    title: 'records the filename of an image',
    async run({ sharedImage, observe }) {
      observe(
        `pixel.png has the filename ${JSON.stringify(jsonAt((await sharedImage()).upload, 'result', 'filename'))}`,
      )
    },
  }),

  check('IMG-UPLOAD-03', {
    title: 'refuses an upload with neither a file nor a URL',
    async run({ expectRefusal, request, newName }) {
      const id = newName()
      await expectRefusal(request.upload({ id }), 'invalid', {
        contrast: request.upload({ id: newName(), file }),
        root: 'IMG-UPLOAD-05',
        readBack: noImage(id),
      })
    },
  }),

  check('IMG-UPLOAD-04', {
    title: 'refuses a file and a URL together',
    async run({ expectRefusal, request, imageServer, newName, newFile }) {
      const [id, url] = [newName(), (await imageServer()).imageUrl(newName())]
      const refusedFile = newFile()
      await expectRefusal(request.upload({ id, file: refusedFile, url }), 'invalid', {
        contrast: request.upload({ id: newName(), file: newFile() }),
        root: 'IMG-UPLOAD-05',
        readBack: nothingStored(id, refusedFile),
      })
    },
  }),

  check('IMG-UPLOAD-05', {
    title: 'uses the id that the client chose',
    needs: ['images.state'],
    async run({ expectSuccess, request, newName }) {
      const id = newName()
      await expectSuccess(
        request.upload({ file, id }),
        undefined,
        hasValue('returns that id', ['result', 'id'], id),
      )
    },
  }),

  check('IMG-UPLOAD-18', {
    title: 'uses the form parts that follow the file',
    door: 'uploadImage',
    async run({ sendOrBlock, expectSuccess, readUntil, expect, request, newName }) {
      const id = newName()
      const metadata = { order: 'after the file' }
      // First ensures that the server accepts uploads in which an id, or metadata, precedes the
      // file.
      await sendOrBlock(request.upload({ id: newName(), file }), 'IMG-UPLOAD-05')
      const control = request.upload({ file, metadata: JSON.stringify(metadata) })
      await sendOrBlock(control, 'IMG-UPLOAD-09')
      const parts: Part[] = [
        file,
        { name: 'id', value: id },
        { name: 'metadata', value: JSON.stringify(metadata) },
      ]
      await expectSuccess({ ...request.upload({}), body: { kind: 'form', parts } })
      const kept = hasValue('has its metadata', ['result', 'metadata'], metadata)
      expect(await readUntil(request.get(id), kept.test), kept)
    },
  }),

  check('IMG-UPLOAD-06', {
    title: 'stores the value of requireSignedURLs with the image',
    async run({ expectSuccess, idOf, request, readUntil, expect }) {
      const storeAndRead = async (value: boolean) => {
        const shown = hasValue(
          `requireSignedURLs=${value}: returns it`,
          ['result', 'requireSignedURLs'],
          value,
        )
        const stored = await expectSuccess(
          request.upload({ file, requireSignedURLs: String(value) }),
          String(value),
          shown,
        )
        const read = await readUntil(request.get(idOf(stored)), shown.test)
        expect(
          read,
          hasValue(`requireSignedURLs=${value}: keeps it`, ['result', 'requireSignedURLs'], value),
        )
      }
      await Promise.all([storeAndRead(true), storeAndRead(false)])
    },
  }),

  check('IMG-UPLOAD-07', {
    title: 'records the default of requireSignedURLs',
    async run({ sharedImage, observe }) {
      observe(
        `requireSignedURLs is ${JSON.stringify(jsonAt((await sharedImage()).upload, 'result', 'requireSignedURLs'))}`,
      )
    },
  }),

  check('IMG-UPLOAD-08', {
    title: 'refuses a requireSignedURLs that is not a boolean',
    async run({ expectRefusal, request, newName, newFile }) {
      const [id, refusedFile] = [newName(), newFile()]
      const invalid = { id, file: refusedFile, requireSignedURLs: 'perhaps' }
      const valid = { id: newName(), file: newFile(), requireSignedURLs: 'true' }
      await expectRefusal(request.upload(invalid), 'invalid', {
        contrast: request.upload(valid),
        root: 'IMG-UPLOAD-06',
        readBack: nothingStored(id, refusedFile),
      })
    },
  }),

  check('IMG-UPLOAD-09', {
    title: 'accepts metadata with an upload',
    async run({ expectSuccess, request }) {
      const allTypes =
        '{"label":"touchstone","count":3,"ratio":0.5,"open":true,"none":null,"nested":{"list":["a",1]}}'
      await expectSuccess(request.upload({ file, metadata: allTypes }))
    },
  }),

  check('IMG-UPLOAD-10', {
    title: 'refuses metadata that is not a JSON object',
    async run({ expectRefusal, request, newName, newFile }) {
      const [id, refusedFile] = [newName(), newFile()]
      const readBack = nothingStored(id, refusedFile)
      const contrast = request.upload({ id: newName(), file: newFile(), metadata })
      const invalid = {
        'an array': '["label"]',
        'a string': '"label"',
        'a number': '7',
        'malformed JSON': '{"label":',
      }
      await Promise.all(
        Object.entries(invalid).map(([label, json]) =>
          expectRefusal(request.upload({ id, file: refusedFile, metadata: json }), 'invalid', {
            contrast,
            root: 'IMG-UPLOAD-09',
            label,
            readBack,
          }),
        ),
      )
    },
  }),
]
