import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { deliveryUrlsOf, lastSegment } from './delivery-urls.ts'
import { isSuccess, jsonAt } from './expectations.ts'
import { mentions } from './json-search.ts'
import { ifRefused } from './meanings.ts'
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

/** The names of variants in the delivery URLs of an image. */
const namesInUrls = (image: HttpExchange): string[] =>
  deliveryUrlsOf(image).map(lastSegment).filter(isPlainName)

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

/**
 * Expects that an image has exactly one delivery URL for each variant of the account, and none for
 * variants that do not exist. Waits until no other check creates or deletes variants.
 */
export async function expectUrlOfEachVariant(world: ImagesWorld): Promise<void> {
  const { sendOrBlock, readUntil, send, request, expectValue } = world
  const [{ id }] = [await world.sharedImage(), await deliveryVariant(world)]
  await world.waitForStage('stable-reads')
  const otherStrings = new Set<string>()
  /** Compares the URLs of an image with the variants listed before and after the image was read. */
  const compare = (image: HttpExchange, before: HttpExchange, after = before): Difference => {
    const inUrls = namesInUrls(image)
    return {
      incomplete: listedNames(before)
        .filter((name) => isListed(name, after) && !otherStrings.has(name))
        .filter((name) => inUrls.filter((other) => other === name).length !== 1),
      unlisted: [...new Set(inUrls)].filter(
        (name) => !isListed(name, before) && !isListed(name, after),
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
  const readAll = async () => {
    const before = await sendOrBlock(request.listVariants())
    const first = await send(request.get(id))
    const strings = await select(compare(first, before).incomplete, false)
    for (const name of strings) otherStrings.add(name)
    const isComplete = (read: HttpExchange) => isEmpty(compare(read, before))
    const image = isComplete(first) ? first : await readUntil(request.get(id), isComplete)
    if (!isSuccess(image)) throw new Blocked('IMG-GET-01', `getImage returned ${image.summary}`)
    const after = await sendOrBlock(request.listVariants())
    return { urls: deliveryUrlsOf(image), difference: compare(image, before, after) }
  }
  // Other clients may write between the reads, so a difference is a failure only if it remains.
  let { urls, difference } = await readAll()
  for (let attempt = 1; attempt < 3 && !isEmpty(difference); attempt += 1)
    ({ urls, difference } = await readAll())
  expectValue(await select(difference.incomplete, true), {
    name: 'has one URL for each variant',
    expected: 'exactly one URL in the variants of the image for each variant of the account',
    test: (names) => names.length === 0,
    received: (names) => `no URL, or several URLs, for ${names.join(', ')} in ${urls.join(' ')}`,
  })
  expectValue(await select(difference.unlisted, false), {
    name: 'has no URL for other variants',
    expected: 'no URL for a variant that does not exist',
    test: (names) => names.length === 0,
    received: (names) => `a URL for ${names.join(', ')} in ${urls.join(' ')}`,
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
