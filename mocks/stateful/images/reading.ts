import { success } from './replies.ts'
import type { ImagesCall, ImagesReply } from './call.ts'
import { hasUsualForm, recordsAsJson } from './list-json.ts'
import { recordOf } from './image.ts'
import type { Image } from './store.ts'
import { ImagesRefusal } from './refusal.ts'

/** Returns one page of the stored images. */
export function listImages(call: ImagesCall): ImagesReply {
  const { images, pageInfo } = pageOf(call)
  return success(call, {
    images: images.map((image) => recordOf(call.server, image, 'result')),
    ...pageInfo,
  })
}

/**
 * Like `listImages`, but writes the JSON itself, to `raw`. The `body` of the reply lacks the
 * images. So only the function `send`, which sends `raw` instead, may receive the reply.
 */
export function listImagesAsJson(call: ImagesCall): ImagesReply {
  const { server } = call
  if (!hasUsualForm(server.choices)) return listImages(call)
  const { images, pageInfo } = pageOf(call)
  const frame = success(call, { images: [], ...pageInfo })
  const raw = JSON.stringify(frame.body).replace(
    '"images":[]',
    () => `"images":[${recordsAsJson(server, images)}]`,
  )
  return { ...frame, raw }
}

function pageOf(call: ImagesCall): { images: Image[]; pageInfo: object } {
  const { server, query } = call
  const { rules, choices, store } = server
  const page = readCount(call, query.get('page'), rules.pageDefault, 'page')
  let perPage = readCount(call, query.get('per_page'), rules.perPageDefault, 'per_page')
  if (perPage > rules.perPageMax) {
    if (choices.perPageAboveMax === 'refuse')
      throw new ImagesRefusal('per-page-too-large', 400, `per_page is at most ${rules.perPageMax}`)
    perPage = rules.perPageMax
  }
  if (choices.listsDrafts) for (const id of store.drafts.keys()) removeIfExpired(call, id)
  const offset = (page - 1) * perPage
  if (choices.pastEnd === 'refuse' && page > 1 && offset >= store.listed.length) {
    throw new ImagesRefusal('page-unknown', choices.pastEndStatus, 'There is no such page')
  }
  const pageInfo = choices.listInfo
    ? { page, per_page: perPage, total_count: store.listed.length }
    : {}
  return { images: store.page(offset, perPage, choices.listOrder), pageInfo }
}

/** Returns one image, even if it is a draft. */
export function getImage(call: ImagesCall): ImagesReply {
  return success(call, recordOf(call.server, requireImage(call), 'details'))
}

/** Deletes one image. If it is a draft, also deletes its ticket. */
export function deleteImage(call: ImagesCall): ImagesReply {
  const { server, params } = call
  const { store, choices } = server
  const id = params['image_id'] ?? ''
  removeIfExpired(call, id)
  if (!store.remove(id, { keepDelivering: choices.deliveredAfterDeletion })) throw unknownImage()
  return success(call, choices.emptyResult === 'record' ? { id } : {})
}

/**
 * Removes a draft whose ticket has expired. Called before every access, so that an expired draft is
 * never returned.
 */
export function removeIfExpired({ server }: ImagesCall, id: string): void {
  const ticket = server.store.drafts.get(id)
  // The draft stays while an upload that started in time is still running.
  if (
    ticket === undefined ||
    ticket.state === 'reserved' ||
    !server.rules.ticketIsExpired(ticket, server.clock.now())
  )
    return
  server.store.remove(id)
  // The ticket stays known, so that a late upload is refused as expired.
  server.store.tickets.set(ticket.token, ticket)
}

function requireImage(call: ImagesCall): Image {
  const id = call.params['image_id'] ?? ''
  removeIfExpired(call, id)
  const image = call.server.store.read(id)
  if (image === undefined) throw unknownImage()
  return image
}

function unknownImage(): ImagesRefusal {
  return new ImagesRefusal('image-unknown', 404, 'There is no such image')
}

function readCount(
  { server }: ImagesCall,
  value: string | null,
  defaultValue: number,
  name: string,
): number {
  if (value === null) return defaultValue
  const count = server.rules.parseCount(value)
  if (count === undefined)
    throw new ImagesRefusal('count-malformed', 400, `${name} must be an integer of at least 1`)
  return count
}
