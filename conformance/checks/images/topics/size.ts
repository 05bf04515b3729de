import { pngOfSize } from '../../../wire/index.ts'
import { batchCheck, check } from '../support/define.ts'
import { refused } from '../support/expectations.ts'
import { noBatchImage, noImage, notCompleted } from '../support/read-back.ts'
import { pixelFile } from '../support/requests.ts'

/** Bytes of the form around a file, for a service that counts the whole request. */
const margin = 4096

export const sizeChecks = [
  check('IMG-LIMIT-11', {
    title: 'refuses a file that is too large',
    async run({ target, expectSuccess, expectRefusal, request, newName }) {
      const limit = target.maxFileBytes!
      const id = newName()
      const upload = (id: string, bytes: number) =>
        request.upload({ id, file: { ...pixelFile, value: pngOfSize(bytes) } })
      const nearly = Math.max(limit - margin, 256)
      await expectSuccess(upload(newName(), nearly), `${nearly} bytes`)
      await expectRefusal(upload(id, limit + 1), 'too large', {
        contrast: upload(newName(), 256),
        leaves: noImage(id),
      })
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
    async run({ target, sendOrBlock, send, expect, readBack, request, imageServer, newName }) {
      const served = await imageServer()
      const [id, bytes] = [newName(), target.maxFileBytes!]
      await sendOrBlock(
        request.upload({ url: served.serve(newName(), pngOfSize(256)) }),
        'IMG-UPLOAD-02',
      )
      const large = request.upload({ id, url: served.serve(newName(), pngOfSize(bytes + 1)) })
      expect(await send({ ...large, meaning: 'too large to fetch' }), refused('too large to fetch'))
      readBack(noImage(id))
    },
  }),

  batchCheck('IMG-LIMIT-11', {
    title: 'refuses a file that is too large on the batch host',
    async run({ target, expectRefusal, request, newName }) {
      const id = newName()
      const upload = (name: string, bytes: number) =>
        request.upload({ id: name, file: { ...pixelFile, value: pngOfSize(bytes) } }, 'batch')
      await expectRefusal(upload(id, target.maxFileBytes! + 1), 'too large', {
        contrast: upload(newName(), 256),
        leaves: noBatchImage(id),
      })
    },
  }),
]
