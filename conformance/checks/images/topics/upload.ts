import { jsonAt, hasValue } from '../support/expectations.ts'
import { batchCheck, check } from '../support/define.ts'
import { noImage, nothingStored } from '../support/read-back.ts'
import type { HttpRequest, Part } from '../../../wire/index.ts'
import { idOfUpload, uploadMethods } from '../support/upload-methods.ts'
import type { ImagesWorld } from '../support/world.ts'
import { pixelFile as file } from '../support/requests.ts'

const metadata = '{"label":"touchstone"}'

const methodsWithoutId = Object.values(uploadMethods).filter(
  (method) => method !== uploadMethods.fileWithId,
)

/** The operations that read a multipart form with a file, and a valid request of each. */
const unusualForms: readonly {
  readonly door: string
  readonly define: typeof check
  prepare(world: ImagesWorld): Promise<HttpRequest>
}[] = [
  {
    door: 'uploadImage',
    define: check,
    prepare: ({ request }) => Promise.resolve(request.upload({ file })),
  },
  {
    door: 'completeDirectUpload',
    define: check,
    prepare: async ({ createTicket, request }) =>
      request.complete((await createTicket()).uploadURL),
  },
  {
    door: 'batchUploadImage',
    define: batchCheck,
    prepare: ({ request }) => Promise.resolve(request.upload({ file }, 'batch')),
  },
]

export const uploadChecks = [
  check('IMG-UPLOAD-01', {
    title: 'stores the file of the form part "file"',
    async run({ expectSuccess, request }) {
      await expectSuccess(request.upload({ file }))
    },
  }),

  ...unusualForms.map(({ door, define, prepare }) =>
    define('IMG-UPLOAD-17', {
      title: `accepts unusual forms in ${door}: a quoted boundary, a preamble`,
      door,
      async run(world) {
        for (const syntax of ['quoted boundary', 'preamble', 'lower-case headers'] as const) {
          const upload = await prepare(world)
          const { body } = upload
          if (body?.kind !== 'form') throw new Error('an upload must be a form')
          await world.expectSuccess({ ...upload, body: { ...body, syntax } }, syntax)
        }
      },
    }),
  ),

  ...methodsWithoutId.map((method) =>
    check('IMG-IMAGE-02', {
      title: `generates a different id for each image from ${method.name}`,
      needs: [...method.needs],
      door: method.name,
      async run(world) {
        // The images differ, because a service may derive ids from the bytes.
        const upload = async () => {
          if (method === uploadMethods.ticket) return (await world.createTicket()).id
          const { file } = world.drawTestImage(...method.size)
          return idOfUpload(world, await method.upload(world, { file }))
        }
        world.expectValue(await Promise.all([upload(), upload()]), {
          name: 'ids differ',
          expected: 'two different ids',
          test: ([a, b]) => a !== b,
          received: ([id]) => `the id ${id} for both images`,
        })
      },
    }),
  ),

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
      // A service may refuse an id together with the value true.
      const valid = { id: newName(), file: newFile(), requireSignedURLs: 'false' }
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
