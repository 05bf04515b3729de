// Operation 2, and completing a direct creator upload.
import { randomBytes } from 'node:crypto'
import { isFields, jsonBody, ok, type Answer, type Call } from './call.ts'
import { checkFormat, checkId, duplicateId, findImage, metadataFits, sizedBytes } from './checks.ts'
import { alteredBytes, makeImage, removeImage } from './store.ts'
import { formOf, nameOfFile } from './upload.ts'
import { imageView, stamp } from './views.ts'
import {
  Fault,
  bad,
  broken,
  hour,
  minute,
  missing,
  type Fields,
  type Image,
  type Json,
  type Ticket,
  type World,
} from './world.ts'

const known = ['requireSignedURLs', 'metadata', 'expiry', 'id']
const extended = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/i
const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(?:\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?$/i

export function parseTime(sent: string, ignoreZone = false): number {
  let text = sent.trim()
  if (basic.test(text)) {
    text = text.replace(
      basic,
      (_all, y, m, d, h, i, s, z) => `${y}-${m}-${d}T${h}:${i}:${s ?? '00'}${z ?? ''}`,
    )
  }
  if (!extended.test(text)) return NaN
  text = text
    .replace(',', '.')
    .replace(/([+-]\d\d)$/, (zone) => `${zone}:00`)
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
    .toUpperCase()
  const local = text.replace(/(Z|[+-]\d\d:\d\d)$/, '')
  const zone = text.slice(local.length) || 'Z'
  return Date.parse(local + (ignoreZone ? 'Z' : zone))
}

function defaultLife(w: World): number {
  if (w.on('ticket-default-five')) return 5 * minute
  if (w.on('ticket-default-hour')) return hour
  if (w.on('ticket-default-six-hours')) return 6 * hour
  return w.on('ticket-default-never') ? 1000 * 24 * hour : 30 * minute
}

function longestLife(w: World): number {
  if (w.on('ticket-max-five-hours')) return 5 * hour
  if (w.on('ticket-max-seven-hours')) return 7 * hour
  if (w.on('ticket-max-day')) return 24 * hour
  return w.on('ticket-max-none') ? Infinity : 6 * hour
}

function expiryOf(w: World, sent: Json | undefined, make: () => void): number {
  const now = w.now()
  const usual = now + defaultLife(w)
  if (sent === undefined) return usual
  let text = sent
  if (typeof text === 'number' && w.on('ticket-expiry-number-accepted')) {
    text = new Date(text * 1000).toISOString()
  }
  const refused = w.on('ticket-expiry-offset-refused') && /[+-]\d\d:?\d\d$/.test(String(text))
  const asked =
    typeof text === 'string' && !refused
      ? parseTime(text, w.on('ticket-expiry-offset-ignored'))
      : NaN
  if (Number.isNaN(asked)) {
    if (w.on('ticket-expiry-broken-500')) throw broken()
    if (w.on('ticket-expiry-broken-accepted')) return usual
    throw bad('expiry has to be an ISO 8601 timestamp')
  }
  if (asked <= now) {
    if (w.on('past-expiry-accepted')) return asked
    throw bad('expiry is in the past')
  }
  if (asked < now + 2 * minute && w.on('expiry-at-least-two-minutes')) {
    throw bad('expiry has to be at least two minutes ahead')
  }
  if (asked > now + longestLife(w)) {
    if (w.on('expiry-clamped')) return now + 6 * hour
    if (w.on('ticket-max-500')) throw broken()
    if (w.on('ticket-max-refused-yet-made')) make()
    throw bad('expiry may be six hours ahead at most')
  }
  if (w.on('ticket-expiry-ignored')) return now + 30 * minute
  if (w.on('ticket-expiry-later-ignored')) return Math.min(asked, now + 30 * minute)
  if (w.on('ticket-expiry-sooner-ignored')) return Math.max(asked, now + 30 * minute)
  return asked
}

function signedOf(w: World, sent: Json | undefined): boolean | undefined {
  if (sent === undefined || typeof sent === 'boolean') return sent
  if (typeof sent === 'string' && w.on('ticket-signed-text-accepted')) return sent === 'true'
  throw bad('requireSignedURLs has to be a boolean')
}

function metadataOf(w: World, sent: Json | undefined): Fields | undefined {
  if (sent === undefined) return undefined
  const loose =
    (Array.isArray(sent) && w.on('ticket-metadata-array-accepted')) ||
    (typeof sent === 'string' && w.on('ticket-metadata-text-accepted'))
  if (!isFields(sent) && !loose) throw bad('metadata has to be an object')
  if (!metadataFits(w, JSON.stringify(sent), 'ticket')) {
    throw bad('metadata may have 1024 bytes at most')
  }
  return w.on('ticket-metadata-ignored') ? undefined : (sent as Fields)
}

export function createTicket(call: Call): Answer {
  const { w, account } = call
  const body = jsonBody(call, known)
  let signed = signedOf(w, body['requireSignedURLs'])
  const metadata = metadataOf(w, body['metadata'])
  let id: string | undefined
  if (typeof body['id'] === 'string') id = body['id']
  else if (typeof body['id'] === 'number' && w.on('ticket-id-number-accepted')) {
    id = String(body['id'])
  } else if (body['id'] !== undefined) throw bad('id has to be a string')
  if (id !== undefined) checkId(w, id)
  const draft = (): Image => {
    const made = {
      id,
      filename: '',
      signed,
      metadata,
      bytes: Buffer.alloc(0),
      via: 'ticket',
      door: 'api',
    } as const
    const image = makeImage(w, account, made)
    account.images.push(image)
    return image
  }
  if (id !== undefined && findImage(account, id)) throw duplicateId(w)
  if (id !== undefined && signed === true) {
    if (w.on('ticket-id-and-signed-made')) draft()
    if (w.on('ticket-id-and-signed-dropped')) id = undefined
    else if (!w.on('ticket-id-and-signed-accepted')) {
      throw bad('id cannot be combined with requireSignedURLs')
    }
  }
  if (id !== undefined && signed === false && w.on('ticket-id-and-false-refused')) {
    throw bad('id cannot be combined with requireSignedURLs')
  }
  const asked = id
  if (w.on('ticket-custom-id-ignored')) id = undefined
  if (w.on('ticket-signed-ignored')) signed = undefined
  const expiresAt = expiryOf(w, body['expiry'], draft)
  const image = draft()
  const now = w.now()
  const last = w.tickets.at(-1)
  if (w.on('ticket-second-kills-first')) {
    for (const one of w.tickets) if (one.account === account && !one.usedAt) one.expiresAt = 0
  }
  const shared = last && last.createdAt + minute > now && w.on('ticket-url-shared')
  const ticket: Ticket = {
    secret: shared ? last.secret : randomBytes(18).toString('base64url'),
    account,
    image,
    createdAt: now,
    expiresAt,
    usedAt: 0,
    uses: 0,
  }
  image.ticket = ticket
  w.tickets.push(ticket)
  return ok(ticketView(w, ticket, asked !== undefined))
}

function ticketView(w: World, ticket: Ticket, named: boolean): unknown {
  const path = w.on('ticket-token-in-query')
    ? `/upload?ticket=${ticket.secret}`
    : `/upload/${ticket.secret}`
  let { origin } = new URL(w.origins.upload)
  if (w.on('upload-url-other-name')) origin = origin.replace('127.0.0.1', 'localhost')
  let { id } = ticket.image
  if (w.on('ticket-id-other')) {
    id = w.newId()
    ticket.image.custom = false
  }
  const view: Record<string, unknown> = {
    id,
    uploadURL: w.on('ticket-url-relative') ? path : origin + path,
  }
  if (w.on('ticket-id-number')) view['id'] = ticket.image.sequence
  if (w.on('ticket-id-missing')) delete view['id']
  if (named && w.on('ticket-url-null')) view['uploadURL'] = null
  if (w.on('ticket-url-other-name')) {
    view['upload_url'] = view['uploadURL']
    delete view['uploadURL']
  }
  if (w.on('ticket-extra-fields')) {
    view['expiresAt'] = stamp(w, ticket.expiresAt)
    view['method'] = 'POST'
  }
  return w.on('ticket-wrapped') ? { ticket: view } : view
}

export function findTicket(w: World, secret: string): Ticket | undefined {
  return w.tickets.find((ticket) => ticket.secret === secret)
}

function usable(w: World, ticket: Ticket): boolean {
  if (!ticket.usedAt || w.on('ticket-reusable')) return true
  if (ticket.uses < 2 && w.on('ticket-twice')) return true
  if (w.on('ticket-reusable-after-minute') && ticket.usedAt + minute < w.now()) return true
  return w.on('ticket-reusable-after-delete') && !ticket.account.images.includes(ticket.image)
}

const refusal = (w: World, what: string): Fault =>
  w.on('used-ticket-403') ? new Fault(403, 5403, what) : bad(what)

export function complete(call: Call, ticket: Ticket): Answer {
  const { w } = call
  const { account, image } = ticket
  try {
    if (!usable(w, ticket)) {
      if (w.on('ticket-reuse-replaces')) fill(call, ticket)
      if (w.on('used-ticket-404')) throw missing('Upload URL')
      if (w.on('used-ticket-409')) throw new Fault(409, 5409, 'The upload URL is used')
      throw refusal(w, 'The upload URL is used')
    }
    let end = ticket.expiresAt + (w.on('expiry-leeway') ? 2000 : 0)
    if (w.on('ticket-dead-at-half')) end = (ticket.createdAt + ticket.expiresAt) / 2
    if (w.now() >= end && !w.on('ticket-never-expires')) {
      if (w.on('ticket-expired-yet-stored')) fill(call, ticket)
      if (w.on('expired-ticket-410')) throw new Fault(410, 5410, 'The upload URL has expired')
      throw refusal(w, 'The upload URL has expired')
    }
    if (!account.images.includes(image)) {
      if (!ticket.usedAt) throw missing('Image')
      account.images.push(image)
    }
    fill(call, ticket)
  } catch (error) {
    image.refusals++
    if (w.on('failure-spends-ticket')) ticket.usedAt ||= w.now()
    throw error
  }
  return ok(imageView(w, account, image, 'complete'))
}

function fill(call: Call, ticket: Ticket): void {
  const { w } = call
  const { account, image } = ticket
  let parts
  try {
    parts = formOf(call)
  } catch (error) {
    const refused = error instanceof Fault && error.status === 400
    if (refused && w.on('completion-json-500')) throw broken()
    throw error
  }
  const wanted = w.on('completion-part-named-image') ? 'image' : 'file'
  const part =
    parts.find((one) => one.name === wanted) ??
    (w.on('completion-part-any-name') ? parts[0] : undefined)
  if (!part || (part.filename === undefined && w.on('file-needs-filename'))) {
    if (w.on('completion-502')) throw new Fault(502, 5502, 'No file')
    if (!w.on('completion-empty-accepted')) throw bad('A part named file is needed')
  }
  if (part) {
    const bytes = sizedBytes(w, part.data, 'ticket')
    checkFormat(w, bytes)
    image.bytes = alteredBytes(w, account, bytes)
    image.filename = nameOfFile(part)
  }
  image.draft = false
  image.uploadedAt = w.now()
  image.sequence = ++w.sequence
  account.images.sort((a, b) => a.sequence - b.sequence)
  ticket.usedAt = w.now()
  ticket.uses++
  if (w.on('ticket-signed-lost')) image.signed = false
  if (w.on('ticket-metadata-lost')) image.metadata = undefined
  if (w.on('completion-not-stored')) image.broken = true
  if (w.on('completion-not-found')) removeImage(w, account, image)
  if (w.on('completion-into-other-account')) {
    account.images = account.images.filter((one) => one !== image)
    const other = account === w.first ? w.second : w.first
    other.images.push(image)
  }
  if (w.on('ticket-one-spends-all')) {
    for (const one of w.tickets) if (one.account === account) one.usedAt ||= w.now()
  }
}
