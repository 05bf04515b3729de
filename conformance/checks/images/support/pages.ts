import { idsOf, imagesOf, isRefusal, type ImageRecord } from './expectations.ts'
import { type ApiHost, pixelFile as file } from './requests.ts'
import type { ImagesWorld } from './world.ts'
import { maxPages, tooManyPages } from './search.ts'
import { type Expectation, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'

/** Uploads an image to the batch host and returns its id. */
export async function storeAtBatchHost({
  sendOrBlock,
  idOf,
  request,
}: ImagesWorld): Promise<string> {
  return idOf(await sendOrBlock(request.upload({ file }, 'batch')))
}

export const describeCount = (exchange: HttpExchange) =>
  `images on the page: ${idsOf(exchange).length}`

export const atMost = (limit: number): Expectation<HttpExchange> => ({
  name: `has at most ${limit}`,
  expected: `at most ${limit} images`,
  test: (page) => idsOf(page).length <= limit,
  received: describeCount,
})

/**
 * Ensures that the account has more than one page of images. First waits until most other checks
 * have stored their images, because these images count, too.
 */
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

/**
 * Reads all pages of the given size and returns their images. Stops if a page contains only images
 * of earlier pages, because the server may ignore the page number.
 */
async function readAllPages(
  { sendOrBlock, send, request }: ImagesWorld,
  size: number,
  host: ApiHost,
): Promise<ImageRecord[]> {
  const images: ImageRecord[] = []
  for (let page = 1; page <= maxPages; page += 4) {
    // A page past the end may be refused.
    const requests = [page, page + 1, page + 2, page + 3].map((number) =>
      (number === 1 ? sendOrBlock : send)(request.list({ page: number, per_page: size }, host)),
    )
    const pages = await Promise.all(requests)
    const found = pages.map(imagesOf)
    const known = new Set(idsIn(images))
    const isKnown = ({ id }: ImageRecord) => known.has(String(id))
    // A page with a single known image does not count as repeated, because another client may have
    // shifted the pages.
    const isRepeated = found.some((list) => {
      const hasOnlyKnown = list.length > 1 && list.every(isKnown)
      for (const id of idsIn(list)) known.add(id)
      return hasOnlyKnown
    })
    images.push(...found.flat())
    // A service may omit drafts after it has divided the list into pages, so a short page or a
    // single empty page need not be the last one. Two empty pages or a refused page mark the end.
    const isEnd = found.slice(-2).every((list) => list.length === 0)
    if (isEnd || pages.some(isRefusal) || isRepeated) return images
  }
  throw new NotCovered(tooManyPages)
}

/**
 * All images of a list, read once for all checks, in a stage in which no check writes. If an image
 * is missing, confirm that with `findEntry`, because other clients may shift pages during the read.
 */
export async function readWholeList(
  world: ImagesWorld,
  host: ApiHost,
): Promise<readonly ImageRecord[]> {
  await world.waitForStage('stable-reads')
  return world.shared(`list of the ${host} host`, (common) => readAllPages(common, 100, host))
}

/** All images of a list, as they are now. */
export const readList = (world: ImagesWorld, host: ApiHost): Promise<readonly ImageRecord[]> =>
  readAllPages(world, 100, host)

const idsIn = (images: readonly ImageRecord[]) => images.map(({ id }) => String(id))
const duplicates = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index)

/**
 * Stores five images, so that the list contains at least these: two now, and three in the stage
 * `late-writes`, when most checks have stored theirs.
 */
export async function storeOwnImages(
  { sendOrBlock, idOf, request, waitForStage }: ImagesWorld,
  host: ApiHost,
): Promise<void> {
  const store = async () => idOf(await sendOrBlock(request.upload({ file }, host)))
  await Promise.all([store(), store()])
  await waitForStage('late-writes')
  // Images that were stored at different times are usually on different pages, in whichever order a
  // service lists them.
  await Promise.all([store(), store(), store()])
}

/**
 * Returns a page size that divides this many images into several pages, the last of which is not
 * full. Prefers at least four pages, because some servers return only later pages wrongly. The size
 * is at most 97, because pages of 97 do not end at the same images as pages of 100.
 */
function pageSizeFor(count: number): number {
  const sizes = Array.from({ length: 97 }, (_, index) => 97 - index)
  const isPartial = (size: number) => count % size !== 0 && 100 % size !== 0
  const pages = (size: number) => Math.ceil(count / size)
  return (
    sizes.find((size) => pages(size) >= 4 && isPartial(size)) ??
    sizes.find((size) => pages(size) >= 2 && isPartial(size)) ??
    sizes.find((size) => pages(size) >= 2 && count % size !== 0) ??
    1
  )
}

/**
 * Reads a list in pages of two sizes. Expects each image at most once, each id of `own` exactly
 * once, and the same images in both sizes. Call it when no other check writes.
 */
export async function expectEachImageOnce(
  world: ImagesWorld,
  host: ApiHost,
  own: readonly string[],
): Promise<void> {
  const readIds = async (size: number) => idsIn(await readAllPages(world, size, host))
  const inLargePages = idsIn(await readWholeList(world, host))
  const size = pageSizeFor(inLargePages.length)
  // No check writes now, but other clients may write, which shifts pages. So the list is read up to
  // three times, and an image counts as wrong only if it is wrong every time.
  let reads = [inLargePages, await readIds(size)]
  /** How often an id was listed. If the reads differ, this is a number other than 1. */
  const timesOf = (id: string) =>
    reads.map((ids) => ids.filter((other) => other === id).length).find((times) => times !== 1) ?? 1
  const isNotOnce = (id: string) => timesOf(id) !== 1
  const isRepeated = (id: string) => reads.some((ids) => ids.indexOf(id) !== ids.lastIndexOf(id))
  let repeated = [...new Set(reads.flatMap(duplicates))]
  let wrong = own.filter(isNotOnce)
  for (let attempt = 1; attempt < 3 && repeated.length + wrong.length > 0; attempt += 1) {
    reads = await Promise.all([readIds(100), readIds(size)])
    repeated = repeated.filter(isRepeated)
    wrong = wrong.filter(isNotOnce)
  }
  const describe = (list: readonly string[]) =>
    `${list
      .slice(0, 3)
      .map((id) => `${shorten(id)} (${timesOf(id)} times)`)
      .join(', ')}${list.length > 3 ? `, and ${list.length - 3} more` : ''}`
  world.expectValue(repeated, {
    name: 'lists no image twice',
    expected: 'no image more than once',
    test: (list) => list.length === 0,
    received: describe,
  })
  world.expectValue(wrong, {
    name: 'lists each uploaded image once',
    expected: `each of the ${own.length} images that the run stored, once`,
    test: (list) => list.length === 0,
    received: describe,
  })
  const lost = await findLost(
    world,
    inLargePages,
    () => readIds(size),
    () => readIds(100),
  )
  world.expectValue(lost, {
    name: 'lists the same images in pages of another size',
    expected: `in pages of ${size}, every image that is listed in pages of 100`,
    test: (list) => list.length === 0,
    received: (list) =>
      `${list.length} of ${inLargePages.length} images on no page of ${size}, such as ${list.slice(0, 3).map(shorten).join(', ')}`,
  })
}

/** Quotes an id. Shortens it if it is long, so that several ids fit into one line of a report. */
const shorten = (id: string): string => JSON.stringify(id.length > 40 ? `${id.slice(0, 40)}…` : id)

/**
 * Returns the ids of a list that no page of another size contains. Other clients may shift pages,
 * so an id counts only if it is missing in every read. Other clients may also delete images, so an
 * id counts only if the final read of the list still contains it.
 */
async function findLost(
  { settle }: ImagesWorld,
  all: readonly string[],
  readSmall: () => Promise<string[]>,
  readAgain: () => Promise<string[]>,
): Promise<string[]> {
  let lost = [...all]
  for (let attempt = 0; attempt < 3 && lost.length > 0; attempt += 1) {
    if (attempt > 0) await settle()
    const small = new Set(await readSmall())
    lost = lost.filter((id) => !small.has(id))
  }
  if (lost.length === 0) return []
  const after = new Set(await readAgain())
  return lost.filter((id) => after.has(id))
}
