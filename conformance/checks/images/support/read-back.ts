import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { isSuccess, jsonAt, jsonEquals } from './expectations.ts'
import { findMembersNamed } from './json-search.ts'
import { readWholeList } from './pages.ts'
import type { ApiHost } from './requests.ts'
import type { ReadBack } from './world.ts'

// Reads of what a refused request must leave as it was. A refusal alone proves nothing: the server
// may have acted all the same. Several refusals of a check share one read if they share the
// function.

/** Reads nothing, because no operation would show an effect of the request. */
export const nothingToRead = (reason: string): ReadBack => {
  if (reason === '') throw new Error('a refusal without a read-back needs a reason')
  return () => Promise.resolve()
}

/** Whether a response shows the image with this id; a broken server can return another image. */
const showsImage = (id: string) => (exchange: HttpExchange) =>
  isSuccess(exchange) && jsonAt(exchange, 'result', 'id') === id

/** No image or draft with this id exists: refused requests would have created it. */
export const noImage =
  (id: string): ReadBack =>
  async (world) => {
    const read = await world.readAfterRefusal(world.request.get(id), showsImage(id))
    if (showsImage(id)(read)) await world.requireMet('IMG-GET-03')
    world.expect(read, {
      name: 'creates nothing',
      expected: `no image with the id ${id}, because every request to create it was refused`,
      test: (exchange) => !showsImage(id)(exchange),
      received: (exchange) => `${exchange.summary}: the image exists`,
    })
  }

/** The image still exists, because its deletion was refused. */
export const imageKept =
  (id: string): ReadBack =>
  async (world) =>
    world.expect(await world.readUntil(world.request.get(id), showsImage(id)), {
      name: 'deletes nothing',
      expected: `the image with the id ${id}, because its deletion was refused`,
      test: showsImage(id),
    })

const describedFields = ['id', 'filename', 'uploaded', 'requireSignedURLs', 'metadata', 'draft']
const describe = (exchange: HttpExchange) =>
  Object.fromEntries(describedFields.map((name) => [name, jsonAt(exchange, 'result', name)]))

/** An image has the fields that an earlier read showed, because every change was refused. */
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
 * The image of a ticket is not stored. It may be gone: the document does not say whether a refused
 * upload uses up the ticket.
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
      expected: `a draft or no image with the id ${id}, because every upload was refused`,
      test: (exchange) => !isStored(exchange),
      received: (exchange) =>
        `${exchange.summary}: draft ${String(jsonAt(exchange, 'result', 'draft'))}`,
    })
  }

/** No variant with this id exists: refused requests would have created it. */
export const noVariant =
  (id: string): ReadBack =>
  async (world) => {
    const read = await world.readAfterRefusal(world.request.getVariant(id), isSuccess)
    if (isSuccess(read)) await world.requireMet('IMG-VARIANTS-08')
    world.expect(read, {
      name: 'creates nothing',
      expected: `no variant with the id ${id}, because every request to create it was refused`,
      test: (exchange) => !isSuccess(exchange),
      received: (exchange) => `${exchange.summary}: the variant exists`,
    })
  }

/** The variant still exists, because its deletion was refused. */
export const variantKept =
  (id: string): ReadBack =>
  async (world) =>
    world.expect(await world.readUntil(world.request.getVariant(id), isSuccess), {
      name: 'deletes nothing',
      expected: `the variant with the id ${id}, because its deletion was refused`,
      test: isSuccess,
    })

/** The values of all members of this name in a response with variants, as strings. */
export const shownValues = (name: string, exchange: HttpExchange): string[] =>
  findMembersNamed(name, jsonAt(exchange, 'result')).map(String)

/** The variant has none of the values that refused changes contained. */
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
    world.expect(read, {
      name: 'changes nothing',
      expected: `the variant ${id} without ${JSON.stringify(refused)}, because the change was refused`,
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
 * Expects the batch host to list an image, or not to list it, after refused requests. No operation
 * reads a single image there, so all checks share one reading of the list, when no check writes any
 * more.
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
        `the list of the batch host ${found ? 'contains' : 'does not contain'} it`,
    })
  }

export const noBatchImage = (id: string): ReadBack =>
  inBatchList(
    id,
    false,
    'creates nothing',
    `no image with the id ${id}, because every request to create it was refused`,
    undefined,
  )

export const batchImageKept = (id: string): ReadBack =>
  inBatchList(
    id,
    true,
    'deletes nothing',
    `the image with the id ${id}, because its deletion was refused`,
    'IMG-BATCH-07',
  )
