import { randomBytes, randomUUID } from 'node:crypto'
import type { ImagesCall, ImagesContext } from './call.ts'
import type { Image } from './store.ts'
import { writeMoment } from './time.ts'

/** Which fields of a picture an answer shows. */
export type View = 'result' | 'details'

/** The record of a picture, as answers carry it. Delivery URLs are made here, from the variants of this moment. */
export function recordOf(server: ImagesContext, image: Image, view: View): Record<string, unknown> {
  const { choices } = server
  const record: Record<string, unknown> = {
    id: image.id,
    filename: image.filename,
    uploaded: writeMoment(image.uploaded, choices.timestampForm),
    requireSignedURLs: image.requireSignedURLs,
    variants: deliveryUrls(server, image.id),
  }
  if (view === 'details' || choices.resultsCarryMetadata) {
    if (image.metadata !== undefined) record['metadata'] = image.metadata
    else if (choices.metadataWhenNone === 'empty') record['metadata'] = {}
  }
  if (
    view === 'details'
      ? image.draft || choices.draftWhenStored === 'false'
      : choices.resultsCarryDraft
  )
    record['draft'] = image.draft
  return record
}

/** The delivery URLs of a picture, one for each variant. */
export function deliveryUrls(server: ImagesContext, id: string): string[] {
  const base = `${server.urls.delivery}/${server.options.accountHash}/${encodeURIComponent(id)}/`
  const urls: string[] = []
  for (const name of server.store.readVariants().keys()) urls.push(base + name)
  return urls
}

/** An id for a picture whose caller gave none. */
export function newId({ server }: ImagesCall): string {
  const { idForm } = server.choices
  if (idForm === 'short') return randomBytes(9).toString('base64url')
  return idForm === 'slashes' ? `a/b/${randomUUID()}` : randomUUID()
}

/** The content type that the bytes themselves show; undefined when they are in no known picture format. */
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

/** The content type to deliver a file with. */
export function typeOf(file: { bytes: Uint8Array; type: string }): string {
  // The part's own type becomes a header later, so it has to look like one.
  return (
    sniff(file.bytes) ??
    (/^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream')
  )
}
