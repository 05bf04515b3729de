import { NotCovered } from '../../../engine/index.ts'
import { pngOfSize, type HttpRequest } from '../../../wire/index.ts'
import { batchCheck, check } from '../support/define.ts'
import { isSuccess, refused } from '../support/expectations.ts'
import { uploadUnfetchable } from '../support/fetched-uploads.ts'
import { ifRefused } from '../support/meanings.ts'
import { noImage, notCompleted, nothingStored } from '../support/read-back.ts'
import { pixelFile, type ApiHost } from '../support/requests.ts'
import type { ImagesWorld, ReadBack } from '../support/world.ts'

/** Bytes to allow for the form around a file, because a service may count the whole request. */
const margin = 4096

/** An upload of a file of this many bytes, with a new id and a new filename. */
function newUpload(
  { request, newName, newFile }: ImagesWorld,
  bytes: number,
  host: ApiHost = 'account',
) {
  const [id, file] = [newName(), { ...newFile(), value: pngOfSize(bytes) }]
  return { id, file, upload: request.upload({ id, file }, host) }
}

/** Expects that a host refuses a file that is larger than the maximum, and does not store it. */
async function expectTooLarge(world: ImagesWorld, host: ApiHost): Promise<void> {
  const { id, file, upload } = newUpload(world, world.target.maxFileBytes! + 1, host)
  await world.expectRefusal(upload, 'too large', {
    contrast: newUpload(world, 256, host).upload,
    readBack: nothingStored(id, file, host),
  })
}

/** The same upload without Content-Length: in chunks (RFC 9112 §7.1). */
const inChunks = ({ body, ...request }: HttpRequest): HttpRequest => {
  if (body?.kind !== 'form') throw new Error('an upload must be a form')
  return { ...request, body: { ...body, isChunked: true } }
}

/** The operations that store files, and a new upload of a file of this many bytes to each. */
const doors: readonly {
  readonly door: string
  readonly define: typeof check
  prepare(world: ImagesWorld, bytes: number): Promise<{ upload: HttpRequest; readBack: ReadBack }>
}[] = [
  ...(['account', 'batch'] as const).map((host) => ({
    door: host === 'account' ? 'uploadImage' : 'batchUploadImage',
    define: host === 'account' ? check : batchCheck,
    prepare: (world: ImagesWorld, bytes: number) => {
      const { id, file, upload } = newUpload(world, bytes, host)
      return Promise.resolve({ upload, readBack: nothingStored(id, file, host) })
    },
  })),
  {
    door: 'completeDirectUpload',
    define: check,
    prepare: async ({ createTicket, request }, bytes) => {
      const { id, uploadURL } = await createTicket()
      const upload = request.complete(uploadURL, { ...pixelFile, value: pngOfSize(bytes) })
      return { upload, readBack: notCompleted(id) }
    },
  },
]

export const sizeChecks = [
  ...doors.map(({ door, define, prepare }) =>
    define('IMG-LIMIT-11', {
      title: `refuses a file that is too large and sent in chunks, in ${door}`,
      async run(world) {
        const small = inChunks((await prepare(world, 256)).upload)
        const control = await world.send({ ...small, meaning: ifRefused('without a length') })
        if (!isSuccess(control))
          throw new NotCovered(`the server accepts no file in chunks: ${control.summary}`)
        const { upload, readBack } = await prepare(world, world.target.maxFileBytes! + 1)
        const large = inChunks(upload)
        world.expect(await world.send({ ...large, meaning: 'too large' }), refused('too large'))
        world.readBack(readBack)
      },
    }),
  ),

  check('IMG-LIMIT-11', {
    title: 'refuses a file that is too large',
    async run(world) {
      const limit = world.target.maxFileBytes!
      const nearly = Math.max(limit - margin, 256)
      await world.expectSuccess(newUpload(world, nearly).upload, `${nearly} bytes`)
      await expectTooLarge(world, 'account')
    },
  }),

  check('IMG-LIMIT-11', {
    title: 'refuses a direct upload that is too large',
    async run({ target, createTicket, sendOrBlock, send, expect, readBack, request }) {
      const [control, ticket] = await Promise.all([createTicket(), createTicket()])
      await sendOrBlock(request.complete(control.uploadURL))
      const file = { ...pixelFile, value: pngOfSize(target.maxFileBytes! + 1) }
      const attempt = { ...request.complete(ticket.uploadURL, file), meaning: 'too large' }
      expect(await send(attempt), refused('too large'))
      readBack(notCompleted(ticket.id))
    },
  }),

  check('IMG-LIMIT-11', {
    title: 'refuses a URL whose image is too large',
    needs: ['suite.pictures'],
    async run(world) {
      const { target, sendOrBlock, expect, readBack, request, imageServer, newName } = world
      const served = await imageServer()
      const bytes = target.maxFileBytes!
      await sendOrBlock(
        request.upload({ url: served.serve(newName(), pngOfSize(256)) }),
        'IMG-UPLOAD-02',
      )
      const url = served.serve(newName(), pngOfSize(bytes + 1))
      const upload = (one: string) => request.upload({ id: one, url })
      const attempt = await uploadUnfetchable(world, url, upload, 'too large to fetch')
      if (attempt === undefined) return
      expect(attempt.exchange, refused('too large to fetch'))
      readBack(noImage(attempt.id, 'an upload from a URL whose image is too large'))
    },
  }),

  batchCheck('IMG-LIMIT-11', {
    title: 'refuses a file that is too large on the batch host',
    run: (world) => expectTooLarge(world, 'batch'),
  }),
]
