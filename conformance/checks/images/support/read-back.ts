import { NotCovered } from '../../../engine/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { isSuccess, jsonAt, jsonEquals } from './expectations.ts'
import { findMembersNamed } from './json-search.ts'
import { readWholeList } from './pages.ts'
import type { ApiHost } from './requests.ts'
import type { ReadBack } from './world.ts'

// These reads verify that a refused request has changed nothing, because a broken server may refuse
// a request and carry it out nevertheless. If several refusals of a check use the same `ReadBack`
// object, it reads once for all of them.

/** Reads nothing. `reason` says why no operation can show an effect of the refused request. */
export const nothingToRead = (reason: string): ReadBack => {
  if (reason === '') throw new Error('a refusal without a read-back needs a reason')
  return () => Promise.resolve()
}

const everyRequest = 'every request to create it'

/** Whether a response shows the image with this id; a broken server can return another image. */
const showsImage = (id: string) => (exchange: HttpExchange) =>
  isSuccess(exchange) && jsonAt(exchange, 'result', 'id') === id

/**
 * Expects neither an image nor a draft with this id, because the requests that could create one
 * were refused. `requests` describes these requests, if the title of the check does not.
 */
export const noImage =
  (id: string, requests = everyRequest): ReadBack =>
  async (world) => {
    const read = await world.readAfterRefusal(world.request.get(id), showsImage(id))
    if (showsImage(id)(read)) await world.requireMet('IMG-GET-03')
    world.expect(read, {
      name: 'creates nothing',
      expected: `no image with the id ${id}, because the server refused ${requests}`,
      test: (exchange) => !showsImage(id)(exchange),
      received: (exchange) => `the image exists: ${exchange.summary}`,
    })
  }

/**
 * Expects that no listed file name contains `filename`, which only refused uploads of this run
 * contained. The names need not be equal, because a server may change them.
 */
const noListedFile =
  (filename: string, host: ApiHost): ReadBack =>
  async (world) => {
    const list = await readWholeList(world, host).catch((error: unknown) => {
      // A list that is too long to be searched is not examined.
      if (error instanceof NotCovered) return []
      throw error
    })
    world.expectValue(
      list.filter((image) => String(image['filename']).includes(filename)),
      {
        name: 'stores nothing',
        expected: `no image with the filename ${filename} in the list, because the server refused its upload`,
        test: (stored) => stored.length === 0,
        received: (stored) =>
          `an image with the id ${stored.map(({ id }) => String(id)).join(', ')}`,
      },
    )
  }

/**
 * Expects that refused uploads with this id and this file name stored nothing, neither under this
 * id nor under another id.
 */
export const nothingStored =
  (id: string, { filename }: { readonly filename: string }, host: ApiHost = 'account'): ReadBack =>
  async (world) => {
    await (host === 'batch' ? noBatchImage(id) : noImage(id))(world)
    await noListedFile(filename, host)(world)
  }

/** Expects that the image still exists, because its deletion was refused. */
export const imageKept =
  (id: string): ReadBack =>
  async (world) =>
    world.expect(await world.readUntil(world.request.get(id), showsImage(id)), {
      name: 'deletes nothing',
      expected: `the image with the id ${id}, because the server refused its deletion`,
      test: showsImage(id),
    })

const describedFields = ['id', 'filename', 'uploaded', 'requireSignedURLs', 'metadata', 'draft']
const describe = (exchange: HttpExchange) =>
  Object.fromEntries(describedFields.map((name) => [name, jsonAt(exchange, 'result', name)]))

/**
 * Expects an image to have the same values as in an earlier read, because every change was refused.
 */
export const imageUnchanged =
  (before: HttpExchange): ReadBack =>
  async (world) => {
    const id = String(jsonAt(before, 'result', 'id'))
    world.expect(await world.readUntil(world.request.get(id), showsImage(id)), {
      name: 'changes nothing',
      expected: JSON.stringify(describe(before)),
      test: (exchange) => jsonEquals(describe(exchange), describe(before)),
      received: (exchange) =>
        isSuccess(exchange) ? JSON.stringify(describe(exchange)) : exchange.summary,
    })
  }

/**
 * Expects that no image is stored for a ticket. The draft may be missing too, because the document
 * does not say whether a refused upload uses up the ticket.
 */
export const notCompleted =
  (id: string): ReadBack =>
  async (world) => {
    const isStored = (exchange: HttpExchange) =>
      showsImage(id)(exchange) && jsonAt(exchange, 'result', 'draft') !== true
    const read = await world.readAfterRefusal(world.request.get(id), isStored)
    if (isStored(read)) await world.requireMet('IMG-STATE-01')
    world.expect(read, {
      name: 'stores nothing',
      expected: `a draft or no image with the id ${id}, because the server refused every upload to it`,
      test: (exchange) => !isStored(exchange),
      received: (exchange) =>
        `draft ${String(jsonAt(exchange, 'result', 'draft'))}: ${exchange.summary}`,
    })
  }

/** Expects that there is no variant with this id, because requests to create it were refused. */
export const noVariant =
  (id: string): ReadBack =>
  async (world) => {
    const read = await world.readAfterRefusal(world.request.getVariant(id), isSuccess)
    if (isSuccess(read)) await world.requireMet('IMG-VARIANTS-08')
    world.expect(read, {
      name: 'creates nothing',
      expected: `no variant with the id ${id}, because the server refused ${everyRequest}`,
      test: (exchange) => !isSuccess(exchange),
      received: (exchange) => `the variant exists: ${exchange.summary}`,
    })
  }

/** Expects that the variant still exists, because its deletion was refused. */
export const variantKept =
  (id: string): ReadBack =>
  async (world) =>
    world.expect(await world.readUntil(world.request.getVariant(id), isSuccess), {
      name: 'deletes nothing',
      expected: `the variant with the id ${id}, because the server refused its deletion`,
      test: isSuccess,
    })

/** The values of all members with this name in a response with variants, as strings. */
export const shownValues = (name: string, exchange: HttpExchange): string[] =>
  findMembersNamed(name, jsonAt(exchange, 'result')).map(String)

/** Expects that the variant has none of the values that the refused changes contained. */
export const variantUnchanged =
  (id: string, refused: Readonly<Record<string, unknown>>): ReadBack =>
  async (world) => {
    const changed = (exchange: HttpExchange) =>
      Object.entries(refused).filter(([name, value]) =>
        shownValues(name, exchange).includes(String(value)),
      )
    const read = await world.readAfterRefusal(
      world.request.getVariant(id),
      (exchange) => changed(exchange).length > 0,
    )
    // The variant may be so new that reads do not show it yet.
    const shown = isSuccess(read)
      ? read
      : await world.readUntil(world.request.getVariant(id), isSuccess)
    world.expect(shown, {
      name: 'changes nothing',
      expected: `the variant ${id} without ${JSON.stringify(refused)}, because the server refused the change`,
      test: (exchange) => isSuccess(exchange) && changed(exchange).length === 0,
      received: (exchange) =>
        isSuccess(exchange)
          ? changed(exchange)
              .map(([name, value]) => `${name} ${String(value)}`)
              .join(', ')
          : exchange.summary,
    })
  }

/**
 * Expects the batch host to list an image, or not to list it, after refused requests. The batch
 * host cannot return a single image, so all checks share one read of the list. This read follows
 * the last write of all checks.
 */
const inBatchList =
  (
    id: string,
    isKept: boolean,
    name: string,
    expected: string,
    root: RequirementId | undefined,
  ): ReadBack =>
  async (world) => {
    const host: ApiHost = 'batch'
    let isListed = (await readWholeList(world, host)).some((image) => image['id'] === id)
    if (isListed !== isKept) {
      if (root !== undefined) await world.requireMet(root)
      // Other clients may have shifted the pages.
      isListed = await world.isListed(id, isKept, host)
    }
    world.expectValue(isListed, {
      name,
      expected,
      test: (found) => found === isKept,
      received: (found) =>
        `the list of the batch host ${found ? 'contains' : 'does not contain'} this image`,
    })
  }

export const noBatchImage = (id: string): ReadBack =>
  inBatchList(
    id,
    false,
    'creates nothing',
    `no image with the id ${id}, because the server refused ${everyRequest}`,
    undefined,
  )

export const batchImageKept = (id: string): ReadBack =>
  inBatchList(
    id,
    true,
    'deletes nothing',
    `the image with the id ${id}, because the server refused its deletion`,
    'IMG-BATCH-07',
  )
