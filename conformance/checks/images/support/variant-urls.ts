import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { deliveryUrlsOf, lastSegment, requireDeliveryUrls } from './delivery-urls.ts'
import { isSuccess, jsonAt } from './expectations.ts'
import { mentions } from './json-search.ts'
import { ifRefused } from './meanings.ts'
import { readList, readWholeList } from './pages.ts'
import { pixelFile, type ApiHost } from './requests.ts'
import { sharedImageOf } from './shared-image-records.ts'
import { uploadMethods } from './upload-methods.ts'
import { deliveryVariant, variantOptions, type ImagesWorld } from './world.ts'

/** Whether a name is the same in a URL as in a list, because it needs no percent-encoding. */
const isPlainName = (name: string) => /^[\w-]+$/.test(name)

/** Field names in a list of variants, which could be mistaken for names of variants. */
const fields = ['variants', 'options']

/**
 * The strings in a list of variants that can be names of variants: ids, keys of objects, and
 * strings in arrays. Some can have another meaning, because the document does not state the form of
 * the list.
 */
function possibleNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value as Record<string, unknown>)
  const own = members.flatMap(([key, member]) => {
    if (typeof member === 'string') return Array.isArray(value) || key === 'id' ? [member] : []
    return Array.isArray(value) || Object(member) !== member ? [] : [key]
  })
  return [...own, ...members.flatMap(([, member]) => possibleNames(member))]
}

const listedNames = (list: HttpExchange): string[] =>
  [...new Set(possibleNames(jsonAt(list, 'result')))].filter(
    (name) => isPlainName(name) && !fields.includes(name),
  )

const namesOf = (urls: readonly string[]): string[] => urls.map(lastSegment).filter(isPlainName)

/** The names of variants in the delivery URLs of an image. */
const namesInUrls = (image: HttpExchange): string[] => namesOf(deliveryUrlsOf(image))

const isListed = (name: string, list: HttpExchange) => mentions(name, jsonAt(list, 'result'))

interface Difference {
  /** Listed variants that do not have exactly one URL. */
  readonly incomplete: readonly string[]
  /** Names in URLs that were not listed, neither before nor after the image was read. */
  readonly unlisted: readonly string[]
}

const isEmpty = ({ incomplete, unlisted }: Difference) =>
  incomplete.length === 0 && unlisted.length === 0

/**
 * The maximum number of names to read as variants, because a list can contain many other strings.
 */
const maxLookups = 8

/** The names of variants in the delivery URLs of one image. */
type UrlNames = readonly string[]

/** A response that contains the delivery URLs of images. */
export interface UrlSource {
  /**
   * The stage in which the responses are read. In `stable-reads`, no check creates or deletes
   * variants.
   */
  readonly stage: 'stable-reads' | 'late-writes'
  /** Prepares the images that are read. */
  prepare(world: ImagesWorld): Promise<unknown>
  /**
   * Reads the URLs of one or more images. Repeats a read until `isComplete` accepts the images, if
   * earlier writes can become visible later. `attempt` counts from 0.
   */
  read(
    world: ImagesWorld,
    isComplete: (images: readonly UrlNames[]) => boolean,
    attempt: number,
  ): Promise<readonly UrlNames[]>
}

/** The details of an image. */
export const urlsInDetails: UrlSource = {
  stage: 'stable-reads',
  prepare: (world) => world.sharedImage(),
  async read(world, isComplete) {
    const { id } = await world.sharedImage()
    const read = await world.readUntil(world.request.get(id), (image) =>
      isComplete([namesInUrls(image)]),
    )
    if (!isSuccess(read)) throw new Blocked('IMG-GET-01', `getImage returned ${read.summary}`)
    return [namesInUrls(read)]
  },
}

/** The response to the upload of a file. */
export const urlsInUpload = (host: ApiHost): UrlSource => ({
  stage: 'late-writes',
  prepare: () => Promise.resolve(),
  async read({ sendOrBlock, request, settle }, _isComplete, attempt) {
    if (attempt > 0) await settle()
    const upload = await sendOrBlock(request.upload({ file: pixelFile }, host))
    return [namesOf(requireDeliveryUrls(upload))]
  },
})

/** The entries of the images in a list that the run has stored. Drafts need not have URLs. */
export const urlsInList = (host: ApiHost): UrlSource => ({
  stage: 'stable-reads',
  prepare: (world) =>
    host === 'batch' ? sharedImageOf(world, uploadMethods.batch) : world.sharedImage(),
  async read(world, _isComplete, attempt) {
    if (attempt > 0) await world.settle()
    const list = await (attempt === 0 ? readWholeList(world, host) : readList(world, host))
    const own = list.filter(({ id }) => world.isStoredImage(String(id), host))
    if (own.length === 0) throw new NotCovered('the list contains no image of this run')
    return own.map(({ variants }) => {
      if (Array.isArray(variants)) return namesOf(variants.map(String))
      throw new Blocked('IMG-IMAGE-09', 'a listed image has no array of variants')
    })
  },
})

/**
 * Expects that images have exactly one delivery URL for each variant of the account, and none for
 * variants that do not exist.
 */
export async function expectUrlOfEachVariant(
  world: ImagesWorld,
  { stage, prepare, read }: UrlSource,
): Promise<void> {
  const { sendOrBlock, send, request, expectValue } = world
  await Promise.all([prepare(world), deliveryVariant(world)])
  await world.waitForStage(stage)
  const otherStrings = new Set<string>()
  // Before the stage `stable-reads`, other checks create and delete variants.
  const isShortLived = (name: string) => stage !== 'stable-reads' && world.isNameOfRun(name)
  /** Compares the URLs of images with the variants listed before and after they were read. */
  const compare = (
    images: readonly UrlNames[],
    before: HttpExchange,
    after = before,
  ): Difference => {
    const listed = listedNames(before).filter(
      (name) => isListed(name, after) && !otherStrings.has(name),
    )
    const isIncomplete = (name: string) =>
      images.some((names) => names.filter((other) => other === name).length !== 1)
    return {
      incomplete: listed.filter(isIncomplete),
      unlisted: [...new Set(images.flat())].filter(
        (name) => !isListed(name, before) && !isListed(name, after) && !isShortLived(name),
      ),
    }
  }
  /**
   * Returns the names that can be read as variants or, if `isVariant` is false, the names that
   * cannot.
   */
  const select = async (names: readonly string[], isVariant: boolean) => {
    const candidates = names.slice(0, maxLookups)
    const reads = await Promise.all(candidates.map((name) => send(request.getVariant(name))))
    return candidates.filter((_, index) => isSuccess(reads[index]!) === isVariant)
  }
  const readAll = async (attempt: number) => {
    const before = await sendOrBlock(request.listVariants())
    const first = await read(world, () => true, attempt)
    const strings = await select(compare(first, before).incomplete, false)
    for (const name of strings) otherStrings.add(name)
    const isComplete = (images: readonly UrlNames[]) => isEmpty(compare(images, before))
    const images = isComplete(first) ? first : await read(world, isComplete, attempt + 1)
    const after = await sendOrBlock(request.listVariants())
    return { images, difference: compare(images, before, after) }
  }
  // Other clients may write between the reads, so a difference is a failure only if it remains.
  let { images, difference } = await readAll(0)
  for (let attempt = 1; attempt < 3 && !isEmpty(difference); attempt += 1)
    ({ images, difference } = await readAll(attempt))
  const describe = (names: readonly string[]) => {
    const isWrong = (own: UrlNames) =>
      names.some((name) => own.filter((other) => other === name).length !== 1)
    return `the variants in the URLs of an image are: ${(images.find(isWrong) ?? images[0] ?? []).join(', ') || 'none'}`
  }
  expectValue(await select(difference.incomplete, true), {
    name: 'has one URL for each variant',
    expected: 'exactly one URL in the variants of the image for each variant of the account',
    test: (names) => names.length === 0,
    received: (names) => `no URL, or several URLs, for ${names.join(', ')}: ${describe(names)}`,
  })
  expectValue(await select(difference.unlisted, false), {
    name: 'has no URL for other variants',
    expected: 'no URL for a variant that does not exist',
    test: (names) => names.length === 0,
    received: (names) =>
      `a URL for ${names.join(', ')}, which the list of variants does not contain`,
  })
}

/** Expects that the list contains each variant that an image has a URL for and that can be read. */
export async function expectListedVariants(world: ImagesWorld): Promise<void> {
  const { sharedImage, readImage, sendOrBlock, send, request, expect } = world
  await Promise.all([sharedImage(), deliveryVariant(world)])
  await world.waitForStage('stable-reads')
  const names = namesInUrls(await readImage((await sharedImage()).id))
  if (names.length === 0) throw new NotCovered('the image has no delivery URLs')
  const findUnlisted = (list: HttpExchange) => names.filter((name) => !isListed(name, list))
  const list = await world.readUntil(
    request.listVariants(),
    (read) => findUnlisted(read).length === 0,
  )
  if (!isSuccess(list)) await sendOrBlock(request.listVariants())
  const candidates = findUnlisted(list).slice(0, maxLookups)
  const reads = await Promise.all(candidates.map((name) => send(request.getVariant(name))))
  const missing = candidates.filter((_, index) => isSuccess(reads[index]!))
  expect(list, {
    name: 'lists every variant',
    expected: 'each variant that has a delivery URL, and that getVariant returns',
    test: () => missing.length === 0,
    received: () => `a list without ${missing.join(', ')}`,
  })
}

/** More variants than some servers list on one page. */
const manyVariants = 25

/** Reads the list of variants and an image while the account has many variants. */
export async function readWithManyVariants(world: ImagesWorld) {
  // An account may limit the number of variants, so this waits until no other check needs one.
  await world.waitForStage('final')
  return world.shared('reads with many variants', async (common) => {
    const { send, readUntil, request, newName } = common
    const { id } = await common.sharedImage()
    const names = Array.from({ length: manyVariants }, newName)
    const created = await Promise.all(
      names.map((name) =>
        send({
          ...request.createVariant({ id: name, options: variantOptions }),
          meaning: ifRefused('invalid'),
        }),
      ),
    )
    const deleteAll = () =>
      Promise.all(
        names
          .filter((_, index) => isSuccess(created[index]!))
          .map((name) => send(request.deleteVariant(name))),
      )
    if (!created.every(isSuccess)) {
      await deleteAll()
      throw new NotCovered(`the server does not accept ${manyVariants} more variants`)
    }
    const unlisted = (list: HttpExchange) => names.filter((name) => !isListed(name, list))
    const withoutUrl = (image: HttpExchange) => {
      const inUrls = namesInUrls(image)
      return names.filter((name) => inUrls.filter((other) => other === name).length !== 1)
    }
    const list = await readUntil(request.listVariants(), (read) => unlisted(read).length === 0)
    const image = await readUntil(request.get(id), (read) => withoutUrl(read).length === 0)
    await deleteAll()
    return { list, unlisted, image, withoutUrl }
  })
}
