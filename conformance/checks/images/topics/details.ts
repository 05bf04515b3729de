import type { Expectation } from '../../../engine/index.ts'
import { jsonAt, isSuccess, refused, jsonEquals } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { ifRefused } from '../support/meanings.ts'
import type { HttpExchange } from '../../../wire/index.ts'

const describedFields = ['id', 'filename', 'requireSignedURLs'] as const
const descriptionOf = (exchange: HttpExchange) =>
  Object.fromEntries(describedFields.map((name) => [name, jsonAt(exchange, 'result', name)]))

export const detailsChecks = [
  check('IMG-GET-01', {
    title: 'returns an image',
    async run({ sharedImage, expectSuccess, request }) {
      await expectSuccess(request.get((await sharedImage()).id))
    },
  }),

  check('IMG-GET-02', {
    title: 'returns the fields of the upload',
    async run({ sharedImage, readUntil, expect, request }) {
      const { id, upload } = await sharedImage()
      const expected = descriptionOf(upload)
      const equal: Expectation<HttpExchange> = {
        name: 'is the uploaded image',
        expected: JSON.stringify(expected),
        test: (exchange) => jsonEquals(descriptionOf(exchange), expected),
        received: (exchange) =>
          isSuccess(exchange) ? JSON.stringify(descriptionOf(exchange)) : exchange.summary,
      }
      expect(await readUntil(request.get(id), equal.test), equal)
    },
  }),

  check('IMG-GET-03', {
    title: 'refuses to return an unknown image',
    async run({ sharedImage, expectRefusal, request, newName }) {
      await expectRefusal(request.get(newName()), 'absent', {
        contrast: request.get((await sharedImage()).id),
      })
    },
  }),

  check('IMG-GET-03', {
    title: 'does not return an image for only the beginning of its id',
    async run({ storeImage, readImage, expectRefusal, request, newName }) {
      const beginning = newName()
      const { id } = await storeImage({ id: `${beginning}-whole` }, 'IMG-UPLOAD-05')
      await readImage(id)
      await expectRefusal(request.get(beginning), 'absent', { contrast: request.get(id) })
    },
  }),

  check('IMG-GET-05', {
    title: 'returns an image if its id is percent-encoded',
    async run({ storeImage, readImage, blockIfOperationBroken, send, expect, request, newName }) {
      const { id } = await storeImage({ id: newName() }, 'IMG-UPLOAD-05')
      await readImage(id)
      const plain = request.get(id)
      const encoded = [...id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
      const read = await send({
        ...plain,
        url: plain.url.replace(/[^/]*$/, encoded),
        meaning: 'success',
      })
      expect(await blockIfOperationBroken(read), {
        name: 'is read',
        expected: `the image ${id}`,
        test: (exchange) => isSuccess(exchange) && jsonAt(exchange, 'result', 'id') === id,
      })
    },
  }),

  check('IMG-DELETE-01', {
    title: 'deletes an image',
    async run({ storeImage, expectSuccess, request }) {
      await expectSuccess(request.delete((await storeImage()).id))
    },
  }),

  check('IMG-DELETE-02', {
    title: 'refuses to return a deleted image',
    async run({ storeImage, readImage, sendOrBlock, readUntil, expect, request }) {
      const { id } = await storeImage()
      await readImage(id)
      await sendOrBlock(request.delete(id))
      expect(
        await readUntil(
          { ...request.get(id), meaning: 'absent' },
          (exchange) => !isSuccess(exchange),
        ),
        refused('absent'),
      )
    },
  }),

  check('IMG-DELETE-03', {
    title: 'does not list a deleted image',
    sendsEarly: true,
    async run({ storeImage, sendOrBlock, isListed, expectValue, request }) {
      const { id } = await storeImage()
      await sendOrBlock(request.delete(id))
      expectValue(await isListed(id, false), {
        name: 'is not listed',
        expected: `no image with the id ${id} on any page`,
        test: (found) => !found,
        received: () => 'the image is listed',
      })
    },
  }),

  check('IMG-DELETE-04', {
    title: 'keeps other images if one is deleted',
    async run({ storeImage, readImage, sendOrBlock, send, expect, request }) {
      const [deleted, kept] = await Promise.all([storeImage(), storeImage()])
      await readImage(kept.id)
      await sendOrBlock(request.delete(deleted.id))
      const exists: Expectation<HttpExchange> = {
        name: 'still exists',
        expected: 'status 2xx for the image that was not deleted',
        test: isSuccess,
      }
      expect(await send(request.get(kept.id)), exists)
    },
  }),

  check('IMG-DELETE-04', {
    title: 'keeps images whose ids begin with the id of a deleted image',
    async run({ storeImage, readImage, sendOrBlock, send, expect, request, newName }) {
      const id = newName()
      const kept = [`${id}x`, `${id}-large`]
      await Promise.all([id, ...kept].map((one) => storeImage({ id: one }, 'IMG-UPLOAD-05')))
      await Promise.all(kept.map(readImage))
      await sendOrBlock(request.delete(id))
      const reads = await Promise.all(kept.map((one) => send(request.get(one))))
      for (const read of reads)
        expect(read, {
          name: 'still exists',
          expected: `status 2xx for an image whose id begins with ${id}`,
          test: isSuccess,
        })
    },
  }),

  check('IMG-DELETE-05', {
    title: 'records the response to the deletion of an unknown image',
    async run({ send, observe, request, newName }) {
      const deleted = await send({ ...request.delete(newName()), meaning: ifRefused('absent') })
      observe(`the deletion of an unknown image: ${deleted.summary}`)
    },
  }),
]
