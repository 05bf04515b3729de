// Direct creator upload: tickets (operation 2) and the host of one-time upload URLs.
import { randomBytes } from 'node:crypto'
import { Fail, readJson } from './wire.mjs'
import { readForm } from './multipart.mjs'
import { customId, formBoolean, isoTime, jsonBoolean, jsonMetadata } from './fields.mjs'
import { generateId, idIsFree, newTicketImage } from './store.mjs'
import { checkFile, imageView, newImage } from './images.mjs'

const MINUTE = 60000
const USUAL = 30 * MINUTE
const LONGEST = 6 * 60 * MINUTE

function expiryOf(s, text, now) {
  if (text === undefined) return now + (s.on('default-expiry-four-seconds') ? 4000 : USUAL)
  const time = isoTime(s, text)
  if (time === undefined) throw new Fail(400, 'expiry must be an ISO 8601 timestamp')
  if (time <= now && !s.on('past-expiry-accepted')) throw new Fail(400, 'expiry is in the past')
  if (s.on('expiry-at-least-two-minutes') && time < now + 2 * MINUTE - 1000)
    throw new Fail(400, 'expiry is too soon')
  let longest = LONGEST
  if (s.on('expiry-maximum-24-hours')) longest = 4 * LONGEST
  if (s.on('expiry-maximum-five-hours')) longest = 5 * 60 * MINUTE
  if (time > now + longest) {
    if (s.on('long-expiry-shortened')) return now + LONGEST
    throw new Fail(400, 'expiry is at most 6 hours away')
  }
  return s.on('expiry-ignored') ? now + USUAL : time
}

export async function issue(s, account, req) {
  const body = await readJson(s, req, {
    emptyIsObject: true,
    known: ['requireSignedURLs', 'metadata', 'expiry', 'id'],
  })
  const now = Date.now()
  let signed =
    jsonBoolean(
      body.requireSignedURLs,
      'requireSignedURLs',
      s.on('ticket-private-text-accepted'),
    ) ?? false
  let metadata = jsonMetadata(s, body.metadata)
  const wanted = customId(s, body.id, 'ticket')
  const both = wanted !== undefined && signed && !s.on('ticket-id-with-private-accepted')
  if (both && s.on('ticket-id-with-private-drops-flag')) signed = false
  else if (both && !s.on('refused-ticket-leaves-draft'))
    throw new Fail(400, 'id cannot be combined with requireSignedURLs true')
  const expires = expiryOf(s, body.expiry, now)
  if (wanted !== undefined && !idIsFree(s, account, wanted)) throw new Fail(400, 'id is taken')
  const id =
    wanted === undefined || s.on('ticket-custom-id-ignored') ? generateId(s, account) : wanted
  if (s.on('ticket-metadata-dropped')) metadata = undefined
  const ticket = {
    key: randomBytes(18).toString('base64url'),
    account,
    id,
    expires,
    issued: now,
    used: false,
  }
  s.tickets.set(ticket.key, ticket)
  ticket.image = newTicketImage(newImage, s, account, {
    id,
    signed,
    metadata,
    ticket,
    custom: id === wanted,
  })
  if (both && s.on('refused-ticket-leaves-draft'))
    throw new Fail(400, 'id cannot be combined with requireSignedURLs true')
  const result = {
    id,
    uploadURL: s.on('ticket-key-in-query')
      ? `${s.urls.upload}/upload?ticket=${ticket.key}`
      : `${s.urls.upload}/${ticket.key}`,
  }
  if (s.on('ticket-shows-expiry')) result.expiry = new Date(expires).toISOString()
  return result
}

function checkUnused(s, ticket) {
  if (!ticket.used) return
  if (s.on('second-upload-makes-draft') && ticket.image) ticket.image.draft = true
  throw new Fail(s.on('used-url-404') ? 404 : 400, 'this upload URL has been used')
}

/** The end user's request to an upload URL; nobody is asked for a token here. */
export async function complete(s, req, url) {
  const key = s.on('ticket-key-in-query') ? url.searchParams.get('ticket') : url.pathname.slice(1)
  const ticket = s.tickets.get(key)
  if (req.method !== 'POST') {
    if (ticket && s.on('looking-at-url-uses-it-up')) ticket.used = true
    throw new Fail(404, 'upload URLs take a POST')
  }
  if (!ticket) throw new Fail(404, 'no such upload URL')
  if (s.on('upload-host-wants-token') && !s.tokens.get((req.headers.authorization ?? '').slice(7)))
    throw new Fail(401, 'missing API token')
  if (s.on('upload-host-rejects-foreign-header') && req.headers.authorization)
    throw new Fail(401, 'invalid API token')
  if (!s.on('upload-url-reusable')) checkUnused(s, ticket)
  if (ticket.expires <= Date.now() && !s.on('expiry-not-checked-at-upload')) {
    throw new Fail(s.on('expired-url-404') ? 404 : 400, 'this upload URL has expired')
  }
  if (s.on('refused-upload-uses-up-url')) ticket.used = true
  const form = await readForm(s, req, 'upload')
  // Another upload may have finished while this one was read; from here on nothing waits.
  if (
    !s.on('upload-url-race') &&
    !s.on('upload-url-reusable') &&
    !s.on('refused-upload-uses-up-url')
  )
    checkUnused(s, ticket)
  if (!s.tickets.has(key)) throw new Fail(404, 'no such upload URL')
  if (!form.file) throw new Fail(400, 'file is required')
  const { image: draft, account } = ticket
  let type
  try {
    type = checkFile(s, form.file.data, { door: 'upload', chunked: form.chunked })
  } catch (err) {
    if (s.on('refused-upload-ends-draft'))
      Object.assign(draft, { draft: false, bytes: form.file.data, type: 'image/png' })
    if (s.on('too-large-uses-up-url') && err.status === 413) ticket.used = true
    throw err
  }
  ticket.used = true
  let { signed, metadata } = draft
  if (form.requireSignedURLs !== undefined && s.on('uploader-chooses-private'))
    signed = formBoolean(s, form.requireSignedURLs, 'requireSignedURLs')
  if (s.on('completion-forgets-private')) signed = false
  if (s.on('completion-forgets-metadata')) metadata = undefined
  let { id } = draft
  if (s.on('completion-changes-id') && !draft.custom) {
    account.images.delete(id)
    id = generateId(s, account)
  }
  if (form.id && s.on('uploader-chooses-id')) {
    account.images.delete(id)
    id = form.id
  }
  const image = newImage(s, account, {
    id,
    signed,
    metadata,
    ticket,
    custom: draft.custom,
    fromTicket: true,
    door: 'api',
    filename: form.file.filename || 'file',
    bytes: form.file.data,
    type,
  })
  ticket.image = image
  return s.on('completion-answers-id-only')
    ? { id }
    : imageView(s, account, image, 'complete', 'upload')
}
