import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { labelled, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import {
  hasValue,
  isDraft,
  isNotDraft,
  isSuccess,
  refused,
  shows,
  succeeded,
} from '../support/expectations.ts'
import { readDeliveryUrl } from '../support/delivery-urls.ts'
import { requireDelivered } from '../support/delivered-test-images.ts'
import { check } from '../support/define.ts'
import { imageUnchanged, notCompleted } from '../support/read-back.ts'
import { pixelFile } from '../support/requests.ts'
import { ifRefused } from '../support/meanings.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import { deliveryVariant, type ImagesWorld } from '../support/world.ts'

const misnamedFile = { ...pixelFile, name: 'image' }

type OptionalField = readonly [
  label: string,
  requirement: RequirementId,
  body: Record<string, unknown>,
]

/**
 * Ticket requests, each with one optional field, and with the id of the requirement that the server
 * accepts this field.
 */
const optionalFields = ({ newName, targetTime }: ImagesWorld): OptionalField[] => [
  ['with requireSignedURLs', 'IMG-TICKET-05', { requireSignedURLs: true }],
  ['with metadata', 'IMG-TICKET-06', { metadata: { purpose: 'touchstone' } }],
  ['with an id', 'IMG-TICKET-11', { id: newName() }],
  ['with an expiry', 'IMG-TICKET-08', { expiry: new Date(targetTime() + 3_600_000).toISOString() }],
]

const isStoredImage = (exchange: HttpExchange) => isSuccess(exchange) && isNotDraft.test(exchange)

/**
 * Uploads an image to a ticket with `requireSignedURLs` true, in a form that contains a further
 * field, which only the holder of the token may set. Returns the id of the ticket. The document
 * does not exclude further fields, so a server may also refuse the upload.
 */
async function completeWithField(
  { createTicket, send, request }: ImagesWorld,
  name: string,
  value: string,
): Promise<string> {
  const { id, uploadURL } = await createTicket({ requireSignedURLs: true }, 'IMG-TICKET-05')
  const { body, ...upload } = request.complete(uploadURL)
  const parts = [{ name, value }, ...(body?.kind === 'form' ? body.parts : [])]
  const exchange = await send({
    ...upload,
    body: { kind: 'form', parts },
    meaning: ifRefused('invalid'),
  })
  if (isSuccess(exchange)) return id
  throw new NotCovered(`the server refuses a form with the field ${name}: ${exchange.summary}`)
}

/** How long an upload within another one waits for its response, in milliseconds. */
const innerWait = 2_000

/** Which of two uploads is refused is known only afterwards. */
const eitherRefused = ifRefused('spent')

/** Expects that exactly one of several uploads to one upload URL succeeded. */
async function expectOneSuccess(
  { blockIfOperationBroken, expectValue }: ImagesWorld,
  uploads: readonly HttpExchange[],
): Promise<void> {
  const outcomes = uploads
    .map(({ status, failure }) =>
      status === undefined ? `no response (${failure})` : `status ${status}`,
    )
    .join(' and ')
  const successes = uploads.filter(isSuccess).length
  if (successes === 0) await blockIfOperationBroken(uploads[0]!)
  expectValue(successes, {
    name: 'one succeeds',
    expected: 'exactly one success',
    test: (count) => count === 1,
    received: (number) => `${number} successes: ${outcomes}`,
  })
}

export const completionChecks = [
  check('IMG-COMPLETE-01', {
    title: 'stores a direct upload without a token',
    async run({ createTicket, expectSuccess, request }) {
      await expectSuccess(request.complete((await createTicket()).uploadURL))
    },
  }),

  check('IMG-COMPLETE-07', {
    title: 'accepts an upload after a GET request for the upload URL',
    async run({ createTicket, sendOrBlock, send, expect, request }) {
      const [ticket, control] = await Promise.all([createTicket(), createTicket()])
      await sendOrBlock(request.complete(control.uploadURL))
      // A program that shows previews of links sends such a request.
      await send({ operation: 'openUploadUrl', method: 'GET', url: ticket.uploadURL })
      expect(await send({ ...request.complete(ticket.uploadURL), meaning: 'success' }), succeeded)
    },
  }),

  check('IMG-COMPLETE-01', {
    title: 'accepts an upload to an early ticket at the end of the run',
    async run({ createTicket, waitForStage, send, blockIfOperationBroken, expect, request }) {
      const { uploadURL } = await createTicket()
      await waitForStage('late-writes')
      const upload = { ...request.complete(uploadURL), meaning: 'success' } as const
      expect(await blockIfOperationBroken(await send(upload)), succeeded)
    },
  }),

  check('IMG-COMPLETE-02', {
    title: 'refuses a file part that is not named "file"',
    async run({ createTicket, sendOrBlock, send, expect, readBack, request }) {
      const [ticket, control] = await Promise.all([createTicket(), createTicket()])
      await sendOrBlock(request.complete(control.uploadURL))
      const attempt = { ...request.complete(ticket.uploadURL, misnamedFile), meaning: 'invalid' }
      expect(await send(attempt), refused('invalid'))
      readBack(notCompleted(ticket.id))
    },
  }),

  check('IMG-COMPLETE-03', {
    title: 'refuses a second upload to the same upload URL',
    async run({ createTicket, sendOrBlock, readCompleted, send, expect, readBack, request }) {
      const { id, uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      const before = await readCompleted(id)
      const other = { ...pixelFile, filename: 'another.png' }
      expect(
        await send({ ...request.complete(uploadURL, other), meaning: 'spent' }),
        refused('spent', 'the URL was already used'),
      )
      readBack(imageUnchanged(before))
    },
  }),

  check('IMG-COMPLETE-03', {
    title: 'delivers the first file after a second upload to its upload URL was refused',
    needs: ['images.delivery'],
    async run(world) {
      const { createTicket, sendOrBlock, readCompleted, send, expect, readBack, request } = world
      await requireDelivered(world, uploadMethods.ticket)
      const variant = await deliveryVariant(world)
      const { size } = uploadMethods.ticket
      const [first, second] = world.drawTwoImages(...size)
      const { id, uploadURL } = await createTicket({ requireSignedURLs: false }, 'IMG-TICKET-05')
      await sendOrBlock(request.complete(uploadURL, first.file))
      await readCompleted(id)
      // The image is not requested before the second upload, so that no cache contains it.
      const url = await readDeliveryUrl(world, id, variant)
      const repeated = { ...request.complete(uploadURL, second.file), meaning: 'spent' }
      expect(await send(repeated), refused('spent', 'the URL was already used'))
      readBack(async ({ fetchDelivered }) =>
        expect(await fetchDelivered(url, shows(first).test), {
          ...shows(first),
          name: 'keeps the first file',
        }),
      )
    },
  }),

  check('IMG-COMPLETE-04', {
    title: 'accepts only one of two simultaneous uploads to the same upload URL',
    async run(world) {
      const { uploadURL } = await world.createTicket()
      const upload = { ...world.request.complete(uploadURL), meaning: eitherRefused }
      const both = await Promise.all([world.send(upload), world.send(upload)])
      await expectOneSuccess(world, both)
      world.expect(
        both.find((exchange) => !isSuccess(exchange))!,
        refused('spent', 'the URL was already used'),
      )
    },
  }),

  check('IMG-COMPLETE-04', {
    title: 'accepts only one of two uploads if one begins and ends during the other',
    async run(world) {
      const { uploadURL } = await world.createTicket()
      const upload = { ...world.request.complete(uploadURL), meaning: eitherRefused }
      const inner: HttpExchange[] = []
      const outer = await world.send({
        ...upload,
        // A server that processes one request after the other does not answer in this time. The
        // time is short, because that server answers no other request until then.
        betweenHalves: async () => inner.push(await world.send({ ...upload, timeout: innerWait })),
      })
      if (inner.some(({ status }) => status === undefined))
        throw new NotCovered('the server processes one upload after the other')
      await expectOneSuccess(world, [outer, ...inner])
    },
  }),

  check('IMG-TICKET-03', {
    title: 'keeps the id of the ticket if the form of the end user contains another one',
    needs: ['images.state'],
    async run(world) {
      const { newName, readUntil, request, expect } = world
      const id = await completeWithField(world, 'id', newName())
      expect(await readUntil(request.get(id), isStoredImage), {
        name: 'is stored under the id of the ticket',
        expected: `a stored image with the id ${id}`,
        test: isStoredImage,
      })
    },
  }),

  check('IMG-TICKET-05', {
    title: 'keeps requireSignedURLs of the ticket if the form of the end user differs',
    needs: ['images.state'],
    async run(world) {
      const id = await completeWithField(world, 'requireSignedURLs', 'false')
      world.expect(
        await world.readCompleted(id),
        hasValue('has the value of the ticket', ['result', 'requireSignedURLs'], true),
      )
    },
  }),

  check('IMG-COMPLETE-06', {
    title: 'records the response to a direct upload',
    async run({ createTicket, send, observe, request }) {
      const { uploadURL } = await createTicket()
      const wrong = await send(request.complete(uploadURL, misnamedFile))
      const right = await send(request.complete(uploadURL))
      observe(
        `fields of a successful response: ${Object.keys(Object((isSuccess(right) ? right : wrong).json)).join(', ') || 'no JSON object'}`,
      )
      observe(
        `after an upload with a wrong part name (status ${wrong.status}), the upload URL is ${isSuccess(right) ? 'still valid' : 'no longer valid'}`,
      )
    },
  }),

  check('IMG-STATE-01', {
    title: 'returns the image of an unused ticket as a draft',
    async run({ createTicket, readUntil, send, expect, request }) {
      const { id } = await createTicket()
      expect(await readUntil(request.get(id), isDraft.test), isDraft)
      // Reads must not complete the draft.
      for (const again of ['again', 'a third time'])
        expect(await send(request.get(id)), {
          ...isDraft,
          name: `a draft read ${again}: stays a draft`,
        })
    },
  }),

  check('IMG-STATE-02', {
    title: 'does not return a stored image as a draft',
    async run({ sharedImage, createTicket, sendOrBlock, readUntil, expect, request }) {
      const read = (id: string) => readUntil(request.get(id), isNotDraft.test)
      const { id, uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      expect(await read(id), { ...isNotDraft, name: 'a completed upload: is not a draft' })
      expect(await read((await sharedImage()).id), {
        ...isNotDraft,
        name: 'an uploaded image: is not a draft',
      })
    },
  }),

  check('IMG-STATE-01', {
    title: 'returns a draft for an unused ticket with any of the optional fields',
    async run(world) {
      const expectDraft = async ([label, requirement, body]: OptionalField) => {
        const { id } = await world.createTicket(body, requirement)
        const read = await world.readUntil(world.request.get(id), isDraft.test)
        world.expect(read, labelled(label, isDraft))
      }
      await Promise.all(optionalFields(world).map(expectDraft))
    },
  }),

  check('IMG-STATE-02', {
    title: 'returns no draft after an upload to a ticket with any of the optional fields',
    async run(world) {
      const expectStored = async ([label, requirement, body]: OptionalField) => {
        const { id, uploadURL } = await world.createTicket(body, requirement)
        await world.sendOrBlock(world.request.complete(uploadURL))
        const read = await world.readUntil(world.request.get(id), isNotDraft.test)
        world.expect(read, labelled(label, isNotDraft))
      }
      await Promise.all(optionalFields(world).map(expectStored))
    },
  }),

  check('IMG-STATE-04', {
    title: 'records whether drafts are listed',
    needs: ['images.state'],
    async run({ createTicket, observe, isListed }) {
      observe(`a draft is ${(await isListed((await createTicket()).id)) ? '' : 'not '}listed`)
    },
  }),
]
