import { expectFirstPageByDefault } from '../support/default-page.ts'
import { batchCheck as check } from '../support/define.ts'
import { idsOf, isRefusal, isSuccess } from '../support/expectations.ts'
import {
  atMost,
  ensureSecondPage,
  storeAtBatchHost,
  storeOwnImages,
  expectEachImageOnce,
} from '../support/pages.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { ImagesWorld } from '../support/world.ts'
import { ifRefused } from '../support/meanings.ts'

/**
 * Reads up to three times, until the values that are compared agree. Another client may write
 * between the reads, so only a difference that remains is a failure.
 */
async function readUntilConsistent<Seen>(
  read: () => Promise<Seen>,
  isConsistent: (seen: Seen) => boolean,
): Promise<Seen> {
  let seen = await read()
  for (let attempt = 1; attempt < 3 && !isConsistent(seen); attempt += 1) seen = await read()
  return seen
}

/**
 * Ensures that both hosts have more than one page of images. The batch host need not list the
 * images of the account host.
 */
async function ensureSecondBatchPage(world: ImagesWorld): Promise<void> {
  const [{ id }, list] = [await world.sharedImage(), world.request.list({ per_page: 100 }, 'batch')]
  const page = await world.send(list)
  const ids = idsOf(page)
  await ensureSecondPage(world)
  // If the page cannot be read at all, the calling check reports that.
  if (!isSuccess(page) || ids.length >= 100 || ids.includes(id)) return
  await Promise.all(
    Array.from({ length: Math.max(0, 101 - world.countStored('batch')) }, () =>
      storeAtBatchHost(world),
    ),
  )
}

/** Requests a larger page than allowed, and expects a refusal or at most 100 images. */
async function expectPageLimit({ send, expect, request }: ImagesWorld): Promise<void> {
  const isBounded = (exchange: HttpExchange) =>
    isRefusal(exchange) || (isSuccess(exchange) && idsOf(exchange).length <= 100)
  const beyond = await send({
    ...request.list({ per_page: 101 }, 'batch'),
    meaning: ifRefused('invalid'),
  })
  const received = (exchange: HttpExchange) =>
    isSuccess(exchange) ? `${idsOf(exchange).length} images` : exchange.summary
  expect(beyond, {
    name: 'per_page=101: is refused or has at most 100',
    expected: 'at most 100 images, or status 400',
    test: isBounded,
    received,
  })
}

export const batchListingChecks = [
  check('IMG-BATCH-06', {
    title: 'returns at most per_page images, and at most 100, on a page',
    needs: ['images.state'],
    async run(world) {
      await Promise.all([storeAtBatchHost(world), storeAtBatchHost(world)])
      await Promise.all([
        world.expectSuccess(
          world.request.list({ page: 1, per_page: 1 }, 'batch'),
          'per_page=1',
          atMost(1),
        ),
        expectPageLimit(world),
      ])
    },
  }),

  check('IMG-BATCH-10', {
    title: 'lists each image once over all pages, and returns page 1 by default',
    async run(world) {
      await storeOwnImages(world, 'batch')
      await world.waitForStage('stable-reads')
      await Promise.all([
        expectFirstPageByDefault(world, 'batch'),
        expectEachImageOnce(world, 'batch', world.storedImages('batch')),
      ])
    },
  }),

  check('IMG-BATCH-11', {
    title: 'returns up to 100 images per page, by default and with per_page=100',
    async run(world) {
      const { expectSuccess, request, expectValue } = world
      await ensureSecondBatchPage(world)
      await world.waitForStage('stable-reads')
      const countImages = async (query: Record<string, number>, label: string) =>
        idsOf(await expectSuccess(request.list(query, 'batch'), label)).length
      const halves = [1, 2].map((page) => ({ page, per_page: 50 }))
      const readCounts = () =>
        Promise.all([
          countImages({}, 'a request without per_page'),
          countImages({ per_page: 100 }, 'per_page=100'),
          ...halves.map((half) => countImages(half, 'per_page=50')),
        ])
      // The page may contain fewer than 100 images, because a service may omit drafts after it has
      // counted them. The two pages of 50 then omit the same drafts.
      const isDefault = ([bare, full]: number[]) => bare === full
      const isComplete = ([, full = 0, one = 0, two = 0]: number[]) => full === one + two
      const [seen] = await Promise.all([
        readUntilConsistent(readCounts, (counts) => isDefault(counts) && isComplete(counts)),
        expectPageLimit(world),
      ])
      expectValue(seen, {
        name: 'a request without per_page: is as long as per_page=100',
        expected: 'without per_page, as many images as with per_page=100',
        test: isDefault,
        received: ([a, b]) => `without per_page: ${a} images; with per_page=100: ${b} images`,
      })
      expectValue(seen, {
        name: 'per_page=100: is as long as two pages of 50',
        expected: 'as many images as pages 1 and 2 with per_page=50 together',
        test: isComplete,
        received: ([, a, b, c]) =>
          `with per_page=100: ${a} images; pages 1 and 2: ${b} and ${c} images`,
      })
    },
  }),
]
