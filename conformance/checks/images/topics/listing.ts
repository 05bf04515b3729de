import { expectFirstPageByDefault } from '../support/default-page.ts'
import { ensureSecondPage, atMost, describeCount } from '../support/pages.ts'
import { idsOf, isRefusal, isSuccess, jsonAt } from '../support/expectations.ts'
import { Blocked } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { ifRefused } from '../support/meanings.ts'

export const listingChecks = [
  check('IMG-LIST-01', {
    title: 'lists images without page parameters',
    sendsEarly: true,
    async run({ expectSuccess, request }) {
      await expectSuccess(request.list())
    },
  }),

  check('IMG-LIST-03', {
    title: 'lists an uploaded image',
    async run({ storeImage, isListed, expectValue }) {
      const { id } = await storeImage()
      expectValue(await isListed(id, true), {
        name: 'is listed',
        expected: `an image with the id ${id} on some page`,
        test: (found) => found,
        received: () => 'no such image on any page',
      })
    },
  }),

  check('IMG-LIST-03', {
    title: 'lists an image with the fields of its upload',
    needs: ['images.state'],
    async run({ storeImage, findEntry, expectValue }) {
      const { id } = await storeImage({ requireSignedURLs: 'true' }, 'IMG-UPLOAD-06')
      const entry = (await findEntry(id, true)) as { requireSignedURLs?: unknown } | undefined
      if (entry === undefined)
        throw new Blocked(
          'IMG-LIST-03',
          'no such image on any page',
          `an image with the id ${id} on some page`,
        )
      expectValue(entry.requireSignedURLs, {
        name: 'is private',
        expected: 'requireSignedURLs true in the listed image',
        test: (value) => value === true,
        received: (value) => `requireSignedURLs ${String(value)}`,
      })
    },
  }),

  check('IMG-LIST-03', {
    title: 'lists a completed direct upload',
    needs: ['images.state'],
    async run({ createTicket, sendOrBlock, isListed, expectValue, request }) {
      const { id, uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      expectValue(await isListed(id, true), {
        name: 'is listed',
        expected: `an image with the id ${id} on some page`,
        test: (found) => found,
        received: () => 'no such image on any page',
      })
    },
  }),

  check('IMG-LIST-05', {
    title: 'returns at most per_page images on a page',
    needs: ['images.state'],
    async run({ storeImage, expectSuccess, request }) {
      await Promise.all([storeImage(), storeImage(), storeImage()])
      await Promise.all(
        [1, 2].map((size) =>
          expectSuccess(request.list({ per_page: size }), `per_page=${size}`, atMost(size)),
        ),
      )
    },
  }),

  check('IMG-LIST-06', {
    title: 'refuses page parameters that are not positive integers, or returns a page',
    async run({ expectRefusal, request }) {
      const isPage = {
        name: 'is a page',
        expected: 'a refusal, or status 2xx and an array result.images',
        test: (page: HttpExchange) => Array.isArray(jsonAt(page, 'result', 'images')),
      }
      const valid = { page: '1', per_page: '10' }
      const contrast = request.list(valid)
      const invalid = [
        { page: '0' },
        { page: 'one' },
        { page: '1.5' },
        { per_page: '0' },
        { per_page: '-1' },
        { per_page: 'ten' },
      ]
      await Promise.all(
        invalid.map((query) =>
          expectRefusal(request.list({ ...valid, ...query } as Record<string, string>), 'invalid', {
            contrast,
            root: 'IMG-LIST-04',
            or: isPage,
            label: new URLSearchParams(query as Record<string, string>).toString(),
          }),
        ),
      )
    },
  }),

  check('IMG-LIST-07', {
    title: 'returns no images past the last page',
    async run({ storeImage, expectRefusal, request }) {
      // Without an image, every page would be empty.
      await storeImage()
      const isEmpty = {
        name: 'is empty',
        expected: 'status 2xx and an empty result.images',
        test: (page: HttpExchange) => idsOf(page).length === 0,
      }
      await expectRefusal(request.list({ page: 1_000_007, per_page: 100 }), 'past the end', {
        contrast: request.list({ page: 1, per_page: 100 }),
        root: 'IMG-LIST-04',
        or: isEmpty,
      })
      await expectRefusal(request.list({ page: 1_000_007 }), 'past the end', {
        contrast: request.list({ page: 1 }),
        root: 'IMG-LIST-04',
        or: isEmpty,
        label: 'a page without per_page',
      })
    },
  }),

  check('IMG-LIST-08', {
    title: 'records the order of listed images',
    needs: ['images.state'],
    async run({ storeImage, sendOrBlock, observe, request }) {
      const first = await storeImage()
      const second = await storeImage()
      const ids = idsOf(await sendOrBlock(request.list()))
      const [one, two] = [ids.indexOf(first.id), ids.indexOf(second.id)]
      observe(
        one === -1 || two === -1
          ? 'new images are not on the first page'
          : one < two
            ? 'the first page lists the oldest image first'
            : 'the first page lists the newest image first',
      )
    },
  }),

  check('IMG-LIMIT-03', {
    title: 'returns up to 100 images by default',
    async run(world) {
      await ensureSecondPage(world)
      await world.waitForStage('stable-reads')
      const { expectSuccess, request, expectValue } = world
      let lengths: number[] = []
      // Another client may write between the two reads, so a difference is a failure only if it
      // remains.
      for (
        let attempt = 0;
        attempt < 3 && (attempt === 0 || lengths[0] !== lengths[1]);
        attempt += 1
      ) {
        const pages = await Promise.all([
          expectSuccess(request.list(), 'a request without per_page'),
          expectSuccess(request.list({ per_page: 100 }), 'per_page=100'),
        ])
        lengths = pages.map((page) => idsOf(page).length)
      }
      expectValue(lengths, {
        name: 'is as long as per_page=100',
        expected: 'without per_page, as many images as with per_page=100',
        test: ([a, b]) => a === b,
        received: ([a, b]) => `without per_page: ${a} images; with per_page=100: ${b} images`,
      })
    },
  }),

  check('IMG-LIMIT-04', {
    title: 'accepts per_page up to 100, and never returns more than 100 images',
    async run(world) {
      await ensureSecondPage(world)
      await world.waitForStage('stable-reads')
      const { send, expectSuccess, request, expect, expectValue } = world
      // The page may contain fewer than 100 images, because a service may omit drafts after it has
      // counted them. The two pages of 50 then omit the same drafts.
      const pages = [
        { page: 1, per_page: 100 },
        { page: 1, per_page: 50 },
        { page: 2, per_page: 50 },
      ]
      const read = () =>
        Promise.all(
          pages.map(async (query) =>
            idsOf(await expectSuccess(request.list(query), `per_page=${query.per_page}`)),
          ),
        )
      const isComplete = ([full, one, two]: string[][]) =>
        full!.length === one!.length + two!.length
      let seen = await read()
      // Another client may write between the reads, so a difference is a failure only if it
      // remains.
      for (let attempt = 1; attempt < 3 && !isComplete(seen); attempt += 1) seen = await read()
      expectValue(seen, {
        name: 'per_page=100: is as long as two pages of 50',
        expected: 'as many images as pages 1 and 2 with per_page=50 together',
        test: isComplete,
        received: ([full, one, two]) =>
          `${full!.length} images; pages 1 and 2 of 50: ${one!.length} and ${two!.length}`,
      })
      const beyond = await send({
        ...request.list({ per_page: 101 }),
        meaning: ifRefused('invalid'),
      })
      const isBounded = (exchange: HttpExchange) =>
        isRefusal(exchange) || (isSuccess(exchange) && idsOf(exchange).length <= 100)
      expect(beyond, {
        name: 'per_page=101: is refused or has at most 100',
        expected: 'at most 100 images, or status 400',
        test: isBounded,
        received: (page) => `status ${page.status}, ${describeCount(page)}`,
      })
    },
  }),

  check('IMG-LIMIT-05', {
    title: 'returns the first page by default',
    async run(world) {
      await Promise.all([world.storeImage(), world.storeImage()])
      await world.waitForStage('stable-reads')
      await expectFirstPageByDefault(world)
    },
  }),
]
