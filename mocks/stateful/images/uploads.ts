import { randomBytes } from 'node:crypto'
import { success } from './replies.ts'
import type { ImagesCall, ImagesReply } from './call.ts'
import { fetchImage } from './fetch-image.ts'
import type { FilePart, UploadForm } from './form.ts'
import { objectOf } from './json-body.ts'
import { metadataOfForm, metadataOfJson } from './metadata.ts'
import { newId, recordOf, sniff, typeOf } from './image.ts'
import type { Image, Ticket } from './store.ts'
import { removeIfExpired } from './reading.ts'
import { ImagesRefusal } from './refusal.ts'

/** Stores an image from a file part or from a URL. */
export async function uploadImage(call: ImagesCall): Promise<ImagesReply> {
  const { server } = call
  const form = await call.form()
  const flag = readFlag(call, form)
  const wantedId = form.fields['id']
  checkId(call, wantedId)
  const metadata = metadataOfForm(server, form)
  const file = await readFile(call, form)
  requireImageFile(call, file)
  requireFreeId(call, wantedId)
  const image = server.store.add({
    id: wantedId ?? newId(call),
    filename: file.filename,
    uploaded: server.clock.now(),
    requireSignedURLs: flag,
    metadata,
    draft: false,
    bytes: file.bytes,
    type: typeOf(file),
  })
  return success(call, recordOf(server, image, 'result'))
}

/** Opens a ticket: a draft image and a one-time URL for its file. */
export async function createDirectUpload(call: ImagesCall): Promise<ImagesReply> {
  const { server } = call
  const { rules, choices, clock, store } = server
  const body = await ticketBody(call)
  const flag = body['requireSignedURLs'] ?? choices.requireSignedDefault
  if (!rules.isFlag(flag) || body['requireSignedURLs'] === null)
    throw new ImagesRefusal('flag-not-boolean', 400, 'requireSignedURLs must be a boolean')
  const wantedId = body['id'] as string | undefined
  checkId(call, wantedId)
  if (
    wantedId !== undefined &&
    flag === true &&
    body['requireSignedURLs'] === true &&
    !rules.customIdMayBePrivate
  ) {
    throw new ImagesRefusal(
      'private-custom-id',
      400,
      'A custom id cannot be combined with requireSignedURLs',
    )
  }
  const metadata = metadataOfJson(server, body['metadata'])
  const now = clock.now()
  const expiresAt = expiryOf(call, body['expiry'], now)
  requireFreeId(call, wantedId)
  const image = store.add(
    {
      id: wantedId ?? newId(call),
      filename: '',
      uploaded: now,
      requireSignedURLs: flag as boolean,
      metadata,
      draft: true,
      bytes: undefined,
      type: '',
    },
    { list: choices.listsDrafts },
  )
  const token = randomBytes(24).toString('base64url')
  store.openTicket({ token, id: image.id, expiresAt, state: 'open' })
  return success(call, { id: image.id, uploadURL: `${server.urls.upload}/${token}` })
}

/**
 * Stores the file of a ticket. The ticket is reserved before the body is read, so that only one of
 * two concurrent uploads succeeds.
 */
export async function completeDirectUpload(call: ImagesCall): Promise<ImagesReply> {
  const { server } = call
  const { store, choices, rules, clock } = server
  const ticket = store.tickets.get(call.params['token'] ?? '')
  if (ticket === undefined)
    throw new ImagesRefusal('ticket-unknown', 404, 'There is no such upload URL')
  if (rules.ticketIsSpent(ticket))
    throw new ImagesRefusal(
      'ticket-used',
      choices.usedTicketStatus,
      'This upload URL has already been used',
    )
  if (rules.ticketIsExpired(ticket, clock.now()))
    throw new ImagesRefusal(
      'ticket-expired',
      choices.expiredTicketStatus,
      'This upload URL has expired',
    )
  const previousState = ticket.state
  ticket.state = 'reserved'
  try {
    const image = await completeTicket(call, ticket)
    store.markTicketUsed(ticket)
    return success(
      call,
      choices.completionResponse === 'image' ? recordOf(server, image, 'details') : {},
    )
  } catch (error) {
    if (ticket.state === 'reserved') ticket.state = previousState
    throw error
  }
}

async function completeTicket(call: ImagesCall, ticket: Ticket): Promise<Image> {
  const { store, choices, rules, clock } = call.server
  const draft = store.get(ticket.id)
  const form = await call.form()
  const fileParts = form.files.filter((file) => rules.isCompletionPart(file.name))
  const file = fileParts[0]
  // The ticket is spent, but stays in `drafts`, so that the draft still expires.
  if (file === undefined && choices.wrongPartUsesTicket) ticket.state = 'spent'
  if (file === undefined)
    throw new ImagesRefusal('file-missing', 400, 'The form has no file part named file')
  if (fileParts.length > 1)
    throw new ImagesRefusal('several-files', 400, 'The form has more than one file')
  requireImageFile(call, file)
  // The draft may have been deleted during the upload, and its id may have been reused.
  if (draft === undefined || store.get(ticket.id) !== draft)
    throw new ImagesRefusal('ticket-image-deleted', 404, 'The image of this upload URL was deleted')
  const now = clock.now()
  const filename = nameOf(file)
  store.complete(draft, { bytes: file.bytes, type: typeOf(file), filename }, now)
  return { ...draft, draft: false, filename, uploaded: now }
}

async function ticketBody(call: ImagesCall): Promise<Record<string, unknown>> {
  if (!/^multipart\/form-data/i.test(call.headers['content-type'] ?? ''))
    return objectOf((await call.json()) ?? {})
  const form = await call.form()
  const body: Record<string, unknown> = {}
  for (const name of ['id', 'expiry'])
    if (form.fields[name] !== undefined) body[name] = form.fields[name]
  if (form.fields['requireSignedURLs'] !== undefined)
    body['requireSignedURLs'] = readFlag(call, form)
  const metadata = metadataOfForm(call.server, form)
  if (metadata !== undefined) body['metadata'] = metadata
  return body
}

function readFlag({ server }: ImagesCall, form: UploadForm): boolean {
  const text = form.fields['requireSignedURLs']
  const flag =
    text === undefined ? server.choices.requireSignedDefault : server.rules.parseFlag(text)
  if (flag === undefined)
    throw new ImagesRefusal('flag-not-boolean', 400, 'requireSignedURLs must be true or false')
  return flag
}

function checkId({ server }: ImagesCall, id: unknown): void {
  if (id === undefined) return
  const isUsual =
    server.choices.unusualIds === 'accept' || (typeof id === 'string' && /^[\w.-]+$/.test(id))
  if (!server.rules.isImageId(id) || !isUsual)
    throw new ImagesRefusal('id-unusable', 400, 'This id cannot be used')
}

/**
 * Refuses an id that is already in use. Must be called right before the image is added, without an
 * await in between. Otherwise two uploads with the same id could both succeed.
 */
function requireFreeId(call: ImagesCall, id: string | undefined): void {
  const { duplicateIdStatus } = call.server.choices
  if (id === undefined || duplicateIdStatus === 'replace') return
  removeIfExpired(call, id)
  if (call.server.store.get(id) !== undefined)
    throw new ImagesRefusal(
      'image-id-taken',
      duplicateIdStatus,
      'An image with this id already exists',
    )
}

async function readFile({ server }: ImagesCall, form: UploadForm): Promise<FilePart> {
  const files = form.files.filter((part) => part.name === 'file')
  const url = form.fields['url']
  const acceptsBoth = server.rules.fileAndUrl === 'accept'
  if (files.length > 1)
    throw new ImagesRefusal('several-files', 400, 'The form has more than one file')
  const [file] = files
  if (file === undefined && form.fields['file'] !== undefined && !acceptsBoth)
    throw new ImagesRefusal('file-not-a-file', 400, 'file must be a file part')
  if (file !== undefined && url !== undefined && !acceptsBoth)
    throw new ImagesRefusal('file-and-url', 400, 'file and url are mutually exclusive')
  if (file !== undefined) return { ...file, filename: nameOf(file) }
  if (url === undefined)
    throw new ImagesRefusal('file-and-url-missing', 400, 'The form must contain a file or a url')
  return fetchImage(server, url)
}

function requireImageFile({ server }: ImagesCall, file: FilePart): void {
  if (file.bytes.length === 0 && !server.rules.acceptsEmptyFile)
    throw new ImagesRefusal('file-empty', 400, 'The file is empty')
  if (server.choices.unknownImageFormat === 'refuse' && sniff(file.bytes) === undefined)
    throw new ImagesRefusal('file-not-an-image', 400, 'The file is not an image')
}

function nameOf(file: FilePart): string {
  return file.filename === '' ? 'image' : file.filename
}

function expiryOf({ server }: ImagesCall, value: unknown, now: number): number {
  const { rules, choices } = server
  if (value === undefined) return now + rules.ticketDefaultMs
  const expiry = rules.parseExpiry(value)
  if (expiry === undefined)
    throw new ImagesRefusal('expiry-malformed', 400, 'expiry must be an ISO 8601 timestamp')
  if (expiry > now + rules.ticketMaxMs)
    throw new ImagesRefusal('expiry-too-late', 400, 'expiry is too late')
  if (expiry < now + choices.expiryMinimumMs && choices.expiryInPast === 'refuse')
    throw new ImagesRefusal('expiry-too-soon', 400, 'expiry is too soon')
  return expiry
}
