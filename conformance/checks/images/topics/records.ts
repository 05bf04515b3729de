import { Blocked, NotCovered, type Expectation } from '../../../engine/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { batchCheck, check, watch } from '../support/define.ts'
import { stateOf } from '../support/image-states.ts'
import { sharedDetailsOf, sharedEntryOf, sharedImageOf } from '../support/shared-image-records.ts'
import {
  optionsOfMethod,
  uploadMethods,
  idOfUpload,
  type UploadMethod,
  type UploadOptions,
} from '../support/upload-methods.ts'
import {
  isDraft,
  isNotDraft,
  hasValue,
  imagesOf,
  isSuccess,
  jsonAt,
  jsonEquals,
  refused,
  type ImageRecord,
} from '../support/expectations.ts'
import { isSameMoment, momentOf } from '../support/moments.ts'
import { ifRefused } from '../support/meanings.ts'
import { noImage } from '../support/read-back.ts'
import type { ImagesWorld } from '../support/world.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * The fields that every response with an image contains, except `variants`, which changes because
 * checks create and delete variants.
 */
const comparedFields = ['id', 'filename', 'uploaded', 'requireSignedURLs'] as const

const resultOf = (exchange: HttpExchange): Values => {
  const result = jsonAt(exchange, 'result')
  return Object(result) === result ? (result as Values) : {}
}

/** The fields that differ in two responses with one image. Other checks judge missing fields. */
const differences = (one: Values, other: Values): string[] =>
  [...comparedFields, 'metadata'].filter((name) => {
    const [a, b] = [one[name], other[name]]
    if (a === undefined || b === undefined) return false
    return name === 'uploaded' ? !isSameMoment(a, b) : !jsonEquals(a, b)
  })

/** Expects that an image has the same values as in an earlier response. */
const agrees = (name: string, first: Values): Expectation<Values> => ({
  name,
  expected: JSON.stringify(
    Object.fromEntries([...comparedFields, 'metadata'].map((one) => [one, first[one]])),
  ),
  test: (second) => differences(first, second).length === 0,
  received: (second) =>
    differences(first, second)
      .map((field) => `${field} ${JSON.stringify(second[field])}`)
      .join(', '),
})

const accountMethods = [
  [uploadMethods.file, 'an upload'],
  [uploadMethods.url, 'an image uploaded from a URL'],
  [uploadMethods.ticket, 'a direct upload'],
] as const

/** Reads the shared image of an upload method. Blocks the check if that fails. */
async function requireDetails(world: ImagesWorld, method: UploadMethod): Promise<HttpExchange> {
  const details = await sharedDetailsOf(world, method)
  if (isSuccess(details)) return details
  await world.blockIfOperationBroken(details)
  throw new Blocked(
    method === uploadMethods.ticket ? 'IMG-COMPLETE-01' : 'IMG-UPLOAD-05',
    `reading the image from ${method.name} returned ${details.summary}`,
  )
}

/**
 * Finds the shared image of an upload method in the list of its host. If the list does not contain
 * the image, blocks the check, with `root` as the cause.
 */
async function requireListed(
  world: ImagesWorld,
  method: UploadMethod,
  root: RequirementId,
): Promise<Values> {
  const entry = await sharedEntryOf(world, method)
  if (entry !== undefined) return entry
  const { id } = await sharedImageOf(world, method)
  const list = method.host === 'batch' ? 'the list of the batch host' : 'the list'
  throw new Blocked(
    root,
    `the suite uploaded the image with the id ${id}, but ${list} does not contain it`,
  )
}

const checksOfMethods = accountMethods.flatMap(([method, name]) => [
  check('IMG-GET-04', {
    title: `returns the same values when ${name} is read and listed`,
    ...optionsOfMethod(method),
    async run(world) {
      const { upload } = await sharedImageOf(world, method)
      const details = await requireDetails(world, method)
      const first = resultOf(details)
      // Compares only the upload of a file. If a URL is uploaded, a service may respond before it
      // fetches the image, and so before the filename and the time are known.
      if (method === uploadMethods.file && upload !== undefined)
        world.expectValue(
          first,
          agrees(
            'the image, read after the upload: agrees with the response to the upload',
            resultOf(upload),
          ),
        )
      const entry = await requireListed(world, method, 'IMG-LIST-03')
      world.expectValue(
        entry,
        agrees('the image in the list: agrees with the image that was read', first),
      )
      const again = await world.send(world.request.get(String(first['id'])))
      world.expectValue(
        resultOf(again),
        agrees('the image, read a second time: stays the same', first),
      )
    },
  }),

  check('IMG-LIST-03', {
    title: `lists ${name} if it has requireSignedURLs and metadata`,
    ...optionsOfMethod(method),
    async run(world) {
      const { id } = await sharedImageOf(world, method)
      world.expectValue(await sharedEntryOf(world, method), {
        name: 'is listed',
        expected: `an image with the id ${id} on some page`,
        test: (entry) => entry !== undefined,
        received: () => 'no such image on any page',
      })
    },
  }),

  ...(method === uploadMethods.ticket
    ? []
    : [
        check('IMG-UPLOAD-05', {
          title: `returns ${name} under its long id`,
          ...optionsOfMethod(method),
          async run(world) {
            const { id } = await sharedImageOf(world, method)
            const details = await sharedDetailsOf(world, method)
            world.expect(details, hasValue('is read', ['result', 'id'], id))
          },
        }),
      ]),

  check('IMG-IMAGE-13', {
    title: `returns metadata values of every type for ${name}`,
    ...optionsOfMethod(method),
    async run(world) {
      const { metadata } = await sharedImageOf(world, method)
      const details = await sharedDetailsOf(world, method)
      world.expect(details, hasValue('is unchanged', ['result', 'metadata'], metadata))
    },
  }),

  check(method === uploadMethods.ticket ? 'IMG-TICKET-05' : 'IMG-UPLOAD-06', {
    title: `keeps requireSignedURLs true for ${name}`,
    ...optionsOfMethod(method),
    async run(world) {
      world.expect(
        await sharedDetailsOf(world, method),
        hasValue(
          'the image, read after the upload: is private',
          ['result', 'requireSignedURLs'],
          true,
        ),
      )
      const entry = await requireListed(world, method, 'IMG-LIST-03')
      world.expectValue(entry, {
        name: 'the image in the list: is private',
        expected: 'requireSignedURLs true in the listed image',
        test: (image) => image['requireSignedURLs'] === true,
        received: (image) => `requireSignedURLs ${String(image['requireSignedURLs'])}`,
      })
    },
  }),

  check('IMG-STATE-02', {
    title: `does not show ${name} as a draft`,
    ...optionsOfMethod(method),
    async run(world) {
      const details = await requireDetails(world, method)
      world.expect(details, isNotDraft)
    },
  }),

  check('IMG-IMAGE-15', {
    title: `returns the upload time of ${name}`,
    ...optionsOfMethod(method),
    async run(world) {
      expectUploadTime(world, await requireDetails(world, method))
    },
  }),
])

/**
 * Expects that an image was uploaded at about the time of the response. Compares with the Date
 * header, because the clock of the target may differ from that of the suite.
 */
function expectUploadTime({ expectValue }: ImagesWorld, exchange: HttpExchange): void {
  const clock = momentOf(exchange.header('date'))
  const uploaded = momentOf(jsonAt(exchange, 'result', 'uploaded'))
  if (clock === undefined) throw new NotCovered('the response has no valid Date header')
  if (uploaded === undefined)
    throw new NotCovered('result.uploaded is not a timestamp with a time zone')
  expectValue((uploaded - clock) / 60_000, {
    name: 'is the time of the upload',
    expected: `result.uploaded within ${toleranceMinutes} minutes of the Date header of the response`,
    test: (minutes) => Math.abs(minutes) <= toleranceMinutes,
    received: (minutes) =>
      `result.uploaded ${JSON.stringify(jsonAt(exchange, 'result', 'uploaded'))}, ${describeMinutes(Math.abs(minutes))} ${minutes < 0 ? 'before' : 'after'} the Date header`,
  })
}

/**
 * Formats a duration in days or hours if it contains at least two of them, and otherwise in
 * minutes.
 */
function describeMinutes(minutes: number): string {
  if (minutes >= 2 * 24 * 60) return `${Math.round(minutes / (24 * 60))} days`
  return minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${minutes.toFixed(1)} minutes`
}

/** In minutes. Any two time zones differ by more, and a run takes less. */
const toleranceMinutes = 14

/** The images in the response to a list request, or to the upload of a file. */
function imagesInResponse(exchange: HttpExchange): readonly ImageRecord[] {
  const { operation, request } = exchange
  if (operation === 'listImages' || operation === 'batchListImages') return imagesOf(exchange)
  const isUpload = operation === 'uploadImage' || operation === 'batchUploadImage'
  // A service may respond to an upload by URL before it fetches the image.
  return isUpload && hasFile(request) ? [resultOf(exchange)] : []
}

const hasFile = ({ body }: HttpExchange['request']) =>
  body?.kind === 'form' && body.parts.some(({ name }) => name === 'file')

const deletable: readonly [UploadMethod, UploadOptions, name: string][] = [
  [uploadMethods.url, {}, 'an image uploaded from a URL'],
  [uploadMethods.ticket, {}, 'an image from a direct upload'],
  [uploadMethods.file, { requireSignedURLs: true }, 'an image with requireSignedURLs'],
]

export const recordsChecks = [
  ...checksOfMethods,

  ...deletable.map(([method, options, name]) =>
    check('IMG-DELETE-02', {
      title: `does not return ${name} after its deletion`,
      needs: [...method.needs],
      door: method.name,
      async run(world) {
        const id = idOfUpload(world, await method.upload(world, options))
        await world.readImage(id)
        await world.sendOrBlock(world.request.delete(id))
        world.expect(
          await world.readUntil(
            { ...world.request.get(id), meaning: 'absent' },
            (exchange) => !isSuccess(exchange),
          ),
          refused('absent'),
        )
      },
    }),
  ),

  check('IMG-DELETE-02', {
    title: 'does not return the image of an unused ticket after its deletion',
    async run({ createTicket, readUntil, send, expect, request }) {
      const { id } = await createTicket()
      const before = await readUntil(request.get(id), isDraft.test)
      if (!isDraft.test(before))
        throw new Blocked('IMG-STATE-01', `getImage returned ${before.summary}`)
      const deleted = await send({ ...request.delete(id), meaning: ifRefused('absent') })
      // The document does not say whether a draft can be deleted.
      if (!isSuccess(deleted)) throw new NotCovered('the server does not delete a draft')
      const read = await readUntil(
        { ...request.get(id), meaning: 'absent' },
        (exchange) => !isSuccess(exchange),
      )
      expect(read, refused('absent'))
    },
  }),

  check('IMG-COMPLETE-03', {
    title: 'refuses a second upload to an upload URL after its image was deleted',
    async run({ createTicket, sendOrBlock, send, waitUntilImageGone, ...world }) {
      const { expect, readBack, request } = world
      const { id, uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      await sendOrBlock(request.delete(id))
      await waitUntilImageGone(id)
      expect(
        await send({ ...request.complete(uploadURL), meaning: 'spent' }),
        refused('spent', 'the URL was already used'),
      )
      readBack(noImage(id, 'an upload to its upload URL, which was already used'))
    },
  }),

  check('IMG-IMAGE-13', {
    title: 'shows no metadata of another image',
    async run({ storeImage, readImage, expect, waitForStage }) {
      // In this stage, other checks hardly ever upload between these two uploads.
      await waitForStage('late-writes')
      const secret = 'of the first image'
      await storeImage({ metadata: JSON.stringify({ secret }) }, 'IMG-UPLOAD-09')
      const { id } = await storeImage()
      expect(await readImage(id), {
        name: 'has no metadata of another image',
        expected: 'metadata without the field `secret` of the previously stored image',
        test: (read) => jsonAt(read, 'result', 'metadata', 'secret') !== secret,
        received: (read) => JSON.stringify(jsonAt(read, 'result', 'metadata')),
      })
    },
  }),

  watch('IMG-STATE-02', {
    title: 'returns no stored image as a draft in the response to an upload and in lists',
    needs: ['images.state'],
    sources: ['IMG-UPLOAD-01', 'IMG-LIST-01', 'IMG-BATCH-01', 'IMG-BATCH-02'],
    examine: (exchange) => {
      const stored = imagesInResponse(exchange).filter(
        ({ id }) => stateOf(exchange, id) === 'stored',
      )
      const wrong = stored.filter(({ draft }) => draft === true)
      const [{ id } = {}] = wrong
      return stored.length === 0
        ? []
        : [
            {
              name: 'is not a draft',
              held: wrong.length === 0,
              expected: 'draft false or missing, because the image is stored',
              received: wrong.length === 0 ? 'as expected' : `draft true for the id ${String(id)}`,
            },
          ]
    },
  }),

  batchCheck('IMG-IMAGE-15', {
    title: 'returns the upload time of an image from the batch host',
    door: uploadMethods.batch.name,
    async run(world) {
      const { upload } = await sharedImageOf(world, uploadMethods.batch)
      expectUploadTime(world, upload!)
    },
  }),

  batchCheck('IMG-BATCH-13', {
    title: 'lists an image from a URL as private',
    needs: ['suite.pictures'],
    door: uploadMethods.batchUrl.name,
    async run(world) {
      // Does not compare other values: a service may respond before it fetches the image.
      const entry = await requireListed(world, uploadMethods.batchUrl, 'IMG-BATCH-07')
      world.expectValue(entry, {
        name: 'is private',
        expected: 'requireSignedURLs true, as sent',
        test: (image) => image['requireSignedURLs'] === true,
        received: (image) => `requireSignedURLs ${String(image['requireSignedURLs'])}`,
      })
    },
  }),

  batchCheck('IMG-BATCH-13', {
    title: 'lists an image with the values of its upload',
    door: uploadMethods.batch.name,
    async run(world) {
      const { upload } = await sharedImageOf(world, uploadMethods.batch)
      const entry = await requireListed(world, uploadMethods.batch, 'IMG-BATCH-07')
      const first = resultOf(upload!)
      world.expectValue(entry, agrees('agrees with the upload', first))
      world.expectValue(entry, {
        name: 'is private',
        expected: 'requireSignedURLs true, as sent',
        test: (image) => image['requireSignedURLs'] === true,
        received: (image) => `requireSignedURLs ${String(image['requireSignedURLs'])}`,
      })
    },
  }),
]
