import { idsOf, isRefusal } from './expectations.ts'
import { type ApiHost, pixelFile as file } from './requests.ts'
import type { ImagesWorld } from './world.ts'
import { type Expectation, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'

/** Stores an image by the batch host; gives its id. */
export async function storeAtBatchHost({
  sendOrBlock,
  idOf,
  request,
}: ImagesWorld): Promise<string> {
  return idOf(await sendOrBlock(request.upload({ file }, 'batch')))
}

export const describeCount = (exchange: HttpExchange) => `${idsOf(exchange).length} images`

export const atMost = (bound: number): Expectation<HttpExchange> => ({
  name: `has at most ${bound}`,
  expected: `at most ${bound} images`,
  test: (page) => idsOf(page).length <= bound,
  received: describeCount,
})

/** Sees to it that the account has more than a page of images. What other checks have left there counts, so this waits for them. */
export async function ensureSecondPage(world: ImagesWorld): Promise<void> {
  await world.waitForStage('late-writes')
  await world.shared('bulk', () =>
    Promise.all(
      Array.from({ length: Math.max(0, 101 - world.countStored('account')) }, () =>
        world.storeImage(),
      ),
    ),
  )
}

/** Pages that a walk turns at most: an account of somebody's may be large. */
const maxPages = 40

/** The ids on all pages in turn, pages of that size; ends early where an image comes again. */
async function readAllPages(
  { sendOrBlock, send, request }: ImagesWorld,
  size: number,
  host: ApiHost,
): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; page <= maxPages; page += 4) {
    // A page past the end may be refused.
    const requests = [page, page + 1, page + 2, page + 3].map((number) =>
      (number === 1 ? sendOrBlock : send)(request.list({ page: number, per_page: size }, host)),
    )
    const pages = await Promise.all(requests)
    const found = pages.map(idsOf)
    ids.push(...found.flat())
    // A service may leave drafts out of a page that it counted: only an empty page is the end, or one that is refused.
    if (
      found.some((list) => list.length === 0) ||
      pages.some(isRefusal) ||
      duplicates(ids).length > 0
    )
      return ids
  }
  throw new NotCovered(
    `the account has more than ${maxPages} pages of images, too many to walk as a guest`,
  )
}

const duplicates = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index)

/** Stores five images that a walk shall meet. */
export async function storeOwnImages(
  { sendOrBlock, idOf, request, waitForStage: turn }: ImagesWorld,
  host: ApiHost,
): Promise<string[]> {
  const store = async () => idOf(await sendOrBlock(request.upload({ file }, host)))
  const early = [store(), store()]
  await Promise.all(early)
  await turn('late-writes')
  // What came at different times stands on different pages, whichever comes first.
  return Promise.all([...early, store(), store(), store()])
}

/** Turns all the pages of a host's listing while nobody writes, and expects each image once, its own among them. */
export async function expectEachImageOnce(
  world: ImagesWorld,
  host: ApiHost,
  own: readonly string[],
): Promise<void> {
  const inLargePages = await readAllPages(world, 100, host)
  // A small account is walked in several pages all the same.
  const size = inLargePages.length > 100 ? 100 : Math.max(1, Math.ceil(inLargePages.length / 3))
  const times = (ids: readonly string[]) =>
    own.map((id) => ids.filter((candidate) => candidate === id).length)
  const isComplete = (ids: readonly string[]) =>
    duplicates(ids).length === 0 && times(ids).every((count) => count === 1)
  // The suite stands still meanwhile, but somebody else may write, and pages shift: only what goes wrong each time is wrong.
  let ids = size === 100 ? inLargePages : await readAllPages(world, size, host)
  for (let attempt = 1; attempt < 3 && !isComplete(ids); attempt += 1)
    ids = await readAllPages(world, size, host)
  const repeated = duplicates(ids)
  world.expectOf(repeated, {
    name: 'meets no image twice',
    expected: 'no image twice',
    test: (list) => list.length === 0,
    received: (list) => `${list.length} again: ${list.slice(0, 3).join(', ')}`,
  })
  world.expectOf(times(ids), {
    name: 'meets each of its own images once',
    expected: '1, 1, 1, 1, 1',
    test: (counts: number[]) => counts.every((count) => count === 1),
    received: String,
  })
}
