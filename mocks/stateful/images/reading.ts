import { success } from './answers.ts'
import type { ImagesCall, ImagesReply } from './call.ts'
import { hasUsualForm, textOf } from './list-text.ts'
import { recordOf } from './picture.ts'
import type { Image } from './store.ts'
import { ImagesRefusal } from './refusal.ts'

/** Lists the stored pictures, a page at a time. */
export function listImages(call: ImagesCall): ImagesReply {
  const { images, about } = pageOf(call)
  return success(call, {
    images: images.map((image) => recordOf(call.server, image, 'result')),
    ...about,
  })
}

/** The same, for when nobody but the sender looks at the reply: straight to text. Its `body` is only the frame. */
export function listImagesAsText(call: ImagesCall): ImagesReply {
  const { server } = call
  if (!hasUsualForm(server.choices)) return listImages(call)
  const { images, about } = pageOf(call)
  const frame = success(call, { images: [], ...about })
  const raw = JSON.stringify(frame.body).replace(
    '"images":[]',
    () => `"images":[${textOf(server, images)}]`,
  )
  return { ...frame, raw }
}

function pageOf(call: ImagesCall): { images: Image[]; about: object } {
  const { server, query } = call
  const { rules, choices, store } = server
  const page = count(call, query.get('page'), rules.pageDefault, 'page')
  let perPage = count(call, query.get('per_page'), rules.perPageDefault, 'per_page')
  if (perPage > rules.perPageMax) {
    if (choices.perPageAboveMax === 'refuse')
      throw new ImagesRefusal('per-page-too-large', 400, `per_page is at most ${rules.perPageMax}`)
    perPage = rules.perPageMax
  }
  if (choices.listsDrafts) for (const id of store.drafts.keys()) forgetIfExpired(call, id)
  const offset = (page - 1) * perPage
  if (choices.pastEnd === 'refuse' && page > 1 && offset >= store.listed.length) {
    throw new ImagesRefusal('page-unknown', choices.pastEndStatus, 'There is no such page')
  }
  const about = choices.listInfo
    ? { page, per_page: perPage, total_count: store.listed.length }
    : {}
  return { images: store.page(offset, perPage, choices.listOrder), about }
}

/** Shows one picture, a draft too. */
export function getImage(call: ImagesCall): ImagesReply {
  return success(call, recordOf(call.server, existing(call), 'details'))
}

/** Deletes one picture. A draft takes its ticket along. */
export function deleteImage(call: ImagesCall): ImagesReply {
  const { server, params } = call
  const { store, choices } = server
  const id = params['image_id'] ?? ''
  forgetIfExpired(call, id)
  if (!store.remove(id, { keepDelivering: choices.deliveredAfterDeletion })) throw missing()
  return success(call, choices.emptyResult === 'record' ? { id } : {})
}

/** Removes a draft whose ticket has expired: it is gone from the moment on, whoever asks first. */
export function forgetIfExpired({ server }: ImagesCall, id: string): void {
  const ticket = server.store.drafts.get(id)
  // While an upload that came in time is still running, its draft stays.
  if (
    ticket === undefined ||
    ticket.state === 'reserved' ||
    !server.rules.ticketIsExpired(ticket, server.clock.now())
  )
    return
  server.store.remove(id)
  // The ticket itself stays known, so that a late upload learns that it is late.
  server.store.tickets.set(ticket.token, ticket)
}

function existing(call: ImagesCall): Image {
  const id = call.params['image_id'] ?? ''
  forgetIfExpired(call, id)
  const image = call.server.store.read(id)
  if (image === undefined) throw missing()
  return image
}

function missing(): ImagesRefusal {
  return new ImagesRefusal('image-unknown', 404, 'There is no such picture')
}

function count(
  { server }: ImagesCall,
  text: string | null,
  standard: number,
  name: string,
): number {
  if (text === null) return standard
  const value = server.rules.parseCount(text)
  if (value === undefined)
    throw new ImagesRefusal('count-malformed', 400, `${name} has to be a whole number from 1 on`)
  return value
}
