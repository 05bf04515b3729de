import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { requireDelivered } from '../support/delivered-test-images.ts'
import { deliveryUrlsOf, lastSegment, withoutQuery } from '../support/delivery-urls.ts'
import { unusualIds } from '../support/edge-values.ts'
import {
  describeDelivered,
  isSuccess,
  jsonAt,
  notDelivered,
  shows,
} from '../support/expectations.ts'
import { ifRefused } from '../support/meanings.ts'
import type { TestImage } from '../support/test-images.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import { deliveryVariant, type ImagesWorld } from '../support/world.ts'

// A server may refuse unusual ids. If it accepts one, the image is like any other.

const { fileWithId } = uploadMethods

interface Accepted {
  readonly label: string
  readonly id: string
  readonly testImage: TestImage
  /**
   * Returns the delivery URL in the variant `deliveryVariant`, from the response to the upload.
   * Blocks the check if there is none.
   */
  readonly deliveryUrl: () => string
}

/**
 * Uploads an image that `draw` returns under each unusual id. Returns those that the server stores
 * under that id.
 */
async function uploadUnusual(
  world: ImagesWorld,
  isPrivate: boolean,
  draw: () => TestImage,
): Promise<Accepted[]> {
  await requireDelivered(world, fileWithId)
  const variant = await deliveryVariant(world)
  const uploads = await Promise.all(
    Object.entries(unusualIds(world.newName)).map(async ([label, id]) => {
      const testImage = draw()
      const fields = { file: testImage.file, id, requireSignedURLs: String(isPrivate) }
      const upload = { ...world.request.upload(fields), meaning: ifRefused('invalid') } as const
      return { label, id, testImage, stored: await world.send(upload) }
    }),
  )
  const accepted = uploads.flatMap(({ stored, ...image }) => {
    if (!isSuccess(stored) || jsonAt(stored, 'result', 'id') !== image.id) return []
    const deliveryUrl = () => {
      const url = deliveryUrlsOf(stored).find((one) => lastSegment(one) === variant)
      if (url !== undefined) return url
      throw new Blocked('IMG-IMAGE-10', 'an uploaded image has no delivery URL')
    }
    return [{ ...image, deliveryUrl }]
  })
  if (accepted.length === 0) throw new NotCovered('the server accepts no unusual ids')
  return accepted
}

/** Some servers and proxies do not accept encoded slashes. */
const withSlashes = (url: string) => url.replaceAll(/%2f/gi, '/')

/** The URL of an image, with the id encoded, or with its slashes as they are. */
const urlsOf = ({ request }: ImagesWorld, id: string) => {
  const { url } = request.get(id)
  return id.includes('/') ? [url, withSlashes(url)] : [url]
}

/** Deletes an image with an unusual id, and reads it. */
async function deleteUnusual(world: ImagesWorld, id: string): Promise<HttpExchange | undefined> {
  const { send, readUntil, request } = world
  for (const url of urlsOf(world, id)) {
    if (!isSuccess(await send({ ...request.get(id), url }))) continue
    await send({ ...request.delete(id), url })
    return readUntil({ ...request.get(id), url }, (read) => !isSuccess(read))
  }
  return undefined
}

interface Outcome {
  readonly label: string
  readonly exchange: HttpExchange
  readonly isRight: boolean
}

/** Expects that all outcomes are right. The report lists those that are not. */
function expectAll(
  { expectValue }: ImagesWorld,
  outcomes: readonly Outcome[],
  { name, expected }: { name: string; expected: string },
): void {
  expectValue(
    outcomes.filter(({ isRight }) => !isRight),
    {
      name,
      expected,
      test: (list) => list.length === 0,
      received: (list) =>
        list.map(({ label, exchange }) => `${label}: ${describeDelivered(exchange)}`).join('; '),
    },
  )
}

export const unusualIdsChecks = [
  check('IMG-DELIVERY-02', {
    title: 'delivers images with unusual ids: with slashes, dots or special characters',
    needs: ['images.state'],
    async run(world) {
      const draw = () => world.drawTestImage(...fileWithId.size)
      const outcomes = await Promise.all(
        (await uploadUnusual(world, false, draw)).map(async ({ label, testImage, deliveryUrl }) => {
          const { test } = shows(testImage)
          const exchange = await world.fetchDelivered(deliveryUrl(), test)
          return { label, exchange, isRight: test(exchange) }
        }),
      )
      expectAll(world, outcomes, {
        name: 'show the images',
        expected: 'the uploaded image under every id that the server accepted',
      })
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'does not deliver private images (requireSignedURLs) with unusual ids',
    needs: ['images.state'],
    async run(world) {
      const image = world.drawTestImage(...fileWithId.size)
      const accepted = await uploadUnusual(world, true, () => image)
      const outcomes = await Promise.all(
        accepted.flatMap(({ label, deliveryUrl }) => {
          const url = withoutQuery(deliveryUrl())
          return [...new Set([url, withSlashes(url)])].map(async (one) => {
            const exchange = await world.fetchDelivered(one)
            return { label, exchange, isRight: notDelivered(image).test(exchange) }
          })
        }),
      )
      expectAll(world, outcomes, {
        name: 'are not delivered',
        expected: 'no private image at a URL without a signature',
      })
    },
  }),

  check('IMG-DELETE-02', {
    title: 'deletes images with unusual ids: with slashes, dots or special characters',
    async run(world) {
      const image = world.drawTestImage(...fileWithId.size)
      const outcomes = await Promise.all(
        (await uploadUnusual(world, false, () => image)).map(async ({ label, id }) => {
          const exchange = await deleteUnusual(world, id)
          return exchange === undefined ? [] : [{ label, exchange, isRight: !isSuccess(exchange) }]
        }),
      )
      if (outcomes.flat().length === 0)
        throw new Blocked('IMG-GET-01', 'no image with an unusual id can be read')
      expectAll(world, outcomes.flat(), {
        name: 'are gone',
        expected: 'no image under any id after its deletion',
      })
    },
  }),
]
