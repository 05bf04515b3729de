import { randomBytes, randomUUID } from 'node:crypto'
import type { ImagesCall, ImagesContext } from './call.ts'
import type { Image } from './store.ts'
import { formatTimestamp } from './time.ts'

/** Which fields of an image a response contains. */
export type View = 'result' | 'details'

/**
 * The record of an image in a response. Its delivery URLs are computed from the current variants.
 */
export function recordOf(server: ImagesContext, image: Image, view: View): Record<string, unknown> {
  const { choices } = server
  const record: Record<string, unknown> = {
    id: image.id,
    filename: image.filename,
    uploaded: formatTimestamp(image.uploaded, choices.timestampForm),
    requireSignedURLs: image.requireSignedURLs,
    variants: deliveryUrls(server, image.id),
  }
  if (view === 'details' || choices.resultsContainMetadata) {
    if (image.metadata !== undefined) record['metadata'] = image.metadata
    else if (choices.missingMetadata === 'empty') record['metadata'] = {}
  }
  if (
    view === 'details'
      ? image.draft || choices.draftWhenStored === 'false'
      : choices.resultsContainDraft
  )
    record['draft'] = image.draft
  return record
}

/** The delivery URLs of an image, one for each variant. */
export function deliveryUrls(server: ImagesContext, id: string): string[] {
  const base = `${server.urls.delivery}/${server.options.accountHash}/${encodeURIComponent(id)}/`
  const urls: string[] = []
  for (const name of server.store.readVariants().keys()) urls.push(base + name)
  return urls
}

/** Generates an id for an image. */
export function newId({ server }: ImagesCall): string {
  const { idForm } = server.choices
  if (idForm === 'short') return randomBytes(9).toString('base64url')
  return idForm === 'slashes' ? `a/b/${randomUUID()}` : randomUUID()
}

/** The content type according to the bytes; undefined if the image format is unknown. */
export function sniff(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString(
    'latin1',
  )
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif'
  if (start.startsWith('RIFF') && start.slice(8) === 'WEBP') return 'image/webp'
  return undefined
}

/** The content type with which a file is delivered. */
export function typeOf(file: { bytes: Uint8Array; type: string }): string {
  // The content type of the part is sent as a header later, so it must be valid in a header.
  return (
    sniff(file.bytes) ??
    (/^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream')
  )
}
