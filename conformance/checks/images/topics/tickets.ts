import type { Expectation } from '../../../engine/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { jsonAt, hasValue } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { noImage, nothingToRead } from '../support/read-back.ts'
import { malformedJson } from '../support/requests.ts'
import { wrongValues } from '../support/wrong-values.ts'
import type { ImagesWorld } from '../support/world.ts'

const hourMs = 3_600_000
/** Formats the time this many hours after `now`, which is in milliseconds since the epoch. */
const inHours = (hours: number, now: number) => new Date(now + hours * hourMs).toISOString()

/**
 * Creates a ticket with `body`, uploads to it, and expects the stored image to meet `expected`.
 * If the ticket cannot be created, the check is blocked by `requirement`.
 */
async function expectAfterUpload(
  { createTicket, sendOrBlock, readUntil, expect, request }: ImagesWorld,
  requirement: RequirementId,
  body: Record<string, unknown>,
  expected: ReturnType<typeof hasValue>,
) {
  const { id, uploadURL } = await createTicket(body, requirement)
  await sendOrBlock(request.complete(uploadURL))
  expect(await readUntil(request.get(id), expected.test), expected)
}

export const ticketsChecks = [
  check('IMG-TICKET-01', {
    title: 'creates a ticket for an empty request',
    async run({ expectSuccess, request }) {
      await expectSuccess(request.ticket({}))
    },
  }),

  check('IMG-TICKET-17', {
    title: 'returns upload URLs on the upload host',
    async run({ target, createTicket, expect }) {
      const { uploadURL, exchange } = await createTicket()
      const root = new URL(target.upload!)
      expect(exchange, {
        name: 'is on the upload host',
        expected: `an uploadURL at ${root.origin}`,
        test: () => URL.canParse(uploadURL) && new URL(uploadURL).origin === root.origin,
        received: () => uploadURL,
      })
    },
  }),

  check('IMG-TICKET-03', {
    title: 'stores the upload under the id of its ticket',
    async run({ createTicket, sendOrBlock, readUntil, expect, request }) {
      const { id, uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      const isImageOfTicket: Expectation<HttpExchange> = {
        name: 'is the stored image with the id of the ticket',
        expected: `result.id ${JSON.stringify(id)}, and result.draft not true`,
        test: (exchange) =>
          jsonAt(exchange, 'result', 'id') === id && jsonAt(exchange, 'result', 'draft') !== true,
      }
      expect(await readUntil(request.get(id), isImageOfTicket.test), isImageOfTicket)
    },
  }),

  check('IMG-TICKET-05', {
    title: 'stores the value of requireSignedURLs with the image',
    async run(world) {
      await Promise.all(
        [true, false].map((requireSignedURLs) =>
          expectAfterUpload(
            world,
            'IMG-TICKET-05',
            { requireSignedURLs },
            hasValue(
              `the image has ${requireSignedURLs}`,
              ['result', 'requireSignedURLs'],
              requireSignedURLs,
            ),
          ),
        ),
      )
    },
  }),

  check('IMG-TICKET-06', {
    title: 'stores the metadata of a ticket with the image',
    async run(world) {
      const metadata = { purpose: 'touchstone', nested: { deep: [1, 'two', false] } }
      await expectAfterUpload(
        world,
        'IMG-TICKET-06',
        { metadata },
        hasValue('the image has the metadata', ['result', 'metadata'], metadata),
      )
    },
  }),

  check('IMG-TICKET-07', {
    title: 'refuses metadata that is not an object',
    async run({ expectRefusal, request, newName }) {
      const contrast = request.ticket({ id: newName(), metadata: { label: 'a' } })
      const invalid = { 'an array': ['label'], 'a string': 'label', 'a number': 7 }
      await Promise.all(
        Object.entries(invalid).map(([label, metadata]) => {
          // Each request has a different id. If they had the same id and a service wrongly accepted
          // one of them, it would refuse the others as conflicts.
          const id = newName()
          return expectRefusal(request.ticket({ id, metadata }), 'invalid', {
            contrast,
            root: 'IMG-TICKET-06',
            label,
            readBack: noImage(id),
          })
        }),
      )
    },
  }),

  check('IMG-TICKET-08', {
    title: 'accepts a ticket with an expiry',
    async run({ expectSuccess, request, targetTime }) {
      const utc = inHours(1, targetTime())
      const offset = `${inHours(3, targetTime()).slice(0, 19)}+02:00`
      await Promise.all([
        expectSuccess(request.ticket({ expiry: utc }), 'a time in UTC'),
        expectSuccess(request.ticket({ expiry: offset }), 'a time with an offset'),
      ])
    },
  }),

  check('IMG-TICKET-09', {
    title: 'refuses an expiry that is not a timestamp',
    async run({ expectRefusal, request, newName, targetTime }) {
      const contrast = request.ticket({ id: newName(), expiry: inHours(1, targetTime()) })
      const invalid = {
        'a word': 'soon',
        'a sentence': 'In an hour, or a little later',
        'an impossible date': `${inHours(1, targetTime()).slice(0, 4)}-13-45T25:61:00Z`,
        'a number': Math.round(targetTime() / 1000) + 3600,
        'a boolean': true,
      }
      await Promise.all(
        Object.entries(invalid).map(([label, expiry]) => {
          const id = newName()
          return expectRefusal(request.ticket({ id, expiry }), 'invalid', {
            contrast,
            root: 'IMG-TICKET-08',
            label,
            readBack: noImage(id),
          })
        }),
      )
    },
  }),

  check('IMG-TICKET-10', {
    title: 'records how an expiry in the past is handled',
    async run({ send, observe, request, targetTime }) {
      observe(
        `an expiry an hour ago: status ${(await send(request.ticket({ expiry: inHours(-1, targetTime()) }))).status}`,
      )
    },
  }),

  check('IMG-TICKET-11', {
    title: 'accepts an id chosen by the client',
    needs: ['images.state'],
    async run({ expectSuccess, request, newName }) {
      const id = newName()
      await expectSuccess(
        request.ticket({ id }),
        undefined,
        hasValue('returns that id', ['result', 'id'], id),
      )
    },
  }),

  check('IMG-TICKET-12', {
    title: 'refuses an id together with requireSignedURLs=true',
    async run({ expectRefusal, request, newName }) {
      const id = newName()
      await expectRefusal(request.ticket({ id, requireSignedURLs: true }), 'invalid', {
        contrast: request.ticket({ id: newName(), requireSignedURLs: false }),
        root: 'IMG-TICKET-13',
        readBack: noImage(id),
      })
    },
  }),

  check('IMG-TICKET-12', {
    title: 'refuses an id together with requireSignedURLs=true and another optional field',
    async run({ expectRefusal, request, newName, targetTime }) {
      const others = {
        'an id with an expiry': { expiry: inHours(1, targetTime()) },
        'an id with metadata': { metadata: { label: 'a' } },
      }
      await Promise.all(
        Object.entries(others).map(([label, other]) => {
          const id = newName()
          return expectRefusal(
            request.ticket({ id, requireSignedURLs: true, ...other }),
            'invalid',
            {
              contrast: request.ticket({ id: newName(), requireSignedURLs: false, ...other }),
              root: 'IMG-TICKET-13',
              label,
              readBack: noImage(id),
            },
          )
        }),
      )
    },
  }),

  check('IMG-TICKET-13', {
    title: 'accepts an id together with requireSignedURLs=false',
    async run({ expectSuccess, request, newName }) {
      await expectSuccess(request.ticket({ id: newName(), requireSignedURLs: false }))
    },
  }),

  check('IMG-TICKET-14', {
    title: 'refuses a body that is not JSON',
    async run({ expectRefusal, request, newName }) {
      const id = newName()
      await expectRefusal(request.ticket(malformedJson({ id })), 'invalid', {
        contrast: request.ticket({ id: newName() }),
        root: 'IMG-TICKET-11',
        readBack: noImage(id),
      })
    },
  }),

  check('IMG-TICKET-15', {
    title: 'refuses a requireSignedURLs that is not a boolean',
    async run({ expectRefusal, request, newName, randomInt }) {
      // Most of these requests have no id. A server that reads the wrong value as true would refuse
      // an id for another reason: together with requireSignedURLs=true, no id is allowed.
      const unnamed = nothingToRead('a draft without a known id need not be listed')
      const id = newName()
      await Promise.all([
        ...wrongValues('boolean', randomInt).map(([label, requireSignedURLs]) =>
          expectRefusal(request.ticket({ requireSignedURLs }), 'invalid', {
            contrast: request.ticket({ requireSignedURLs: true }),
            root: 'IMG-TICKET-05',
            label,
            readBack: unnamed,
          }),
        ),
        expectRefusal(request.ticket({ id, requireSignedURLs: 'no' }), 'invalid', {
          contrast: request.ticket({ id: newName(), requireSignedURLs: false }),
          root: 'IMG-TICKET-13',
          label: 'a string together with an id',
          readBack: noImage(id),
        }),
      ])
    },
  }),

  check('IMG-TICKET-16', {
    title: 'refuses an id that is not a string, and a body that is not an object',
    async run({ expectRefusal, request, newName, randomInt }) {
      const id = newName()
      await Promise.all([
        ...wrongValues('string', randomInt).map(([label, value]) =>
          expectRefusal(request.ticket({ id: value }), 'invalid', {
            contrast: request.ticket({ id: newName() }),
            root: 'IMG-TICKET-11',
            label: `id: ${label}`,
            readBack: noImage(String(value)),
          }),
        ),
        expectRefusal(
          request.ticket({
            kind: 'text',
            text: JSON.stringify([{ id }]),
            type: 'application/json',
          }),
          'invalid',
          {
            contrast: request.ticket({ id: newName() }),
            root: 'IMG-TICKET-11',
            label: 'body: an array',
            readBack: noImage(id),
          },
        ),
      ])
    },
  }),

  check('IMG-LIMIT-07', {
    title: 'accepts an expiry that is almost 6 hours ahead',
    async run({ expectSuccess, request, targetTime }) {
      await expectSuccess(request.ticket({ expiry: inHours(5 + 50 / 60, targetTime()) }))
    },
  }),
]
