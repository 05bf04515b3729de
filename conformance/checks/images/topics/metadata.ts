import { metadataOf } from '../support/edge-values.ts'
import { check } from '../support/define.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import { noImage, nothingStored } from '../support/read-back.ts'
import { pixelFile as file } from '../support/requests.ts'

export const metadataChecks = [
  check('IMG-LIMIT-01', {
    title: 'accepts 1024 bytes of metadata and refuses 1025',
    door: uploadMethods.file.name,
    async run({ expectSuccess, expectRefusal, request, newName, newFile }) {
      const [id, refusedFile] = [newName(), newFile()]
      const readBack = nothingStored(id, refusedFile)
      const contrast = request.upload({ id: newName(), file: newFile(), metadata: '{"k":"x"}' })
      const tooLong = {
        '1025 bytes': metadataOf.bytes(1025),
        '408 characters that take 1208 bytes': metadataOf.euros(400),
      }
      await Promise.all([
        expectSuccess(request.upload({ file, metadata: metadataOf.bytes(1024) }), '1024 bytes'),
        ...Object.entries(tooLong).map(([label, json]) =>
          expectRefusal(request.upload({ id, file: refusedFile, metadata: json }), 'invalid', {
            contrast,
            root: 'IMG-UPLOAD-09',
            label,
            readBack,
          }),
        ),
      ])
    },
  }),

  check('IMG-LIMIT-01', {
    title: 'refuses an upload by URL with 1025 bytes of metadata',
    needs: ['suite.pictures'],
    door: uploadMethods.url.name,
    async run({ expectRefusal, request, imageServer, newName }) {
      const [id, url] = [newName(), (await imageServer()).imageUrl(newName())]
      const upload = (name: string, json: string) =>
        request.upload({ id: name, url, metadata: json })
      await expectRefusal(upload(id, metadataOf.bytes(1025)), 'invalid', {
        contrast: upload(newName(), '{"k":"x"}'),
        root: 'IMG-UPLOAD-02',
        readBack: noImage(id),
      })
    },
  }),

  // The metadata of a ticket is part of a JSON body. Before a server counts bytes, it may serialize
  // the metadata with other spaces and escapes. So the check stays away from the limit of 1024
  // bytes.
  check('IMG-LIMIT-02', {
    title: 'accepts 900 bytes of metadata with a ticket and refuses 1200',
    async run({ expectSuccess, expectRefusal, request, newName }) {
      const ticket = (json: string, id = newName()) =>
        request.ticket({ id, metadata: JSON.parse(json) as unknown })
      const contrast = ticket('{"k":"x"}')
      const tooLong = {
        '1200 bytes': metadataOf.bytes(1200),
        '408 characters that take 1208 bytes': metadataOf.euros(400),
      }
      await Promise.all([
        expectSuccess(ticket(metadataOf.bytes(900)), '900 bytes'),
        ...Object.entries(tooLong).map(([label, json]) => {
          const id = newName()
          return expectRefusal(ticket(json, id), 'invalid', {
            contrast,
            root: 'IMG-TICKET-06',
            label,
            readBack: noImage(id),
          })
        }),
      ])
    },
  }),
]
