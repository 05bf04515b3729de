// The rules for ids, metadata, sizes and formats that several doors share.
import { tooLarge } from './call.ts'
import { formatOf } from './picture.ts'
import { decodePng } from './png.ts'
import { Fault, bad, broken, type Account, type Fields, type Image, type World } from './world.ts'

export type Source = 'file' | 'url' | 'batch' | 'ticket'

const reserved = ['variants', 'config', 'stats']

export function checkId(w: World, id: string): void {
  const parts = id.split('/')
  if (
    !id ||
    id.length > 1024 ||
    /[\u0000-\u001f\u007f]/.test(id) ||
    reserved.includes(id) ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  ) {
    throw bad('The id is not usable')
  }
  if (w.on('custom-id-plain') && !/^[A-Za-z0-9._-]+$/.test(id)) throw bad('The id is not usable')
  if (w.on('custom-id-no-uuid') && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw bad('The id must not be a UUID')
  }
}

export const duplicateId = (w: World): Fault =>
  w.on('duplicate-id-409') ? new Fault(409, 5409, 'The id is in use') : bad('The id is in use')

export const findImage = (account: Account, id: string): Image | undefined =>
  account.images.find((image) => image.id === id)

const minified = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

export function metadataFits(w: World, sent: string, source: Source): boolean {
  if (source === 'batch' && w.on('batch-metadata-unlimited')) return true
  if (source === 'url' && w.on('metadata-unlimited-for-url')) return true
  if (source === 'ticket' && w.on('ticket-metadata-unlimited')) return true
  const text = w.on('metadata-measured-minified') ? minified(sent) : sent
  const bytes = Buffer.byteLength(text)
  if (source === 'ticket') {
    return w.on('ticket-metadata-characters') ? text.length <= 1024 : bytes <= 1024
  }
  if (w.on('metadata-unlimited')) return true
  if (w.on('metadata-limit-characters')) return text.length <= 1024
  if (w.on('metadata-limit-1000')) return bytes <= 1000
  if (w.on('metadata-limit-strict')) return bytes < 1024
  if (w.on('metadata-limit-1025')) return bytes <= 1025
  if (w.on('metadata-limit-2048')) return bytes <= 2048
  return bytes <= 1024
}

export function formMetadata(w: World, text: string): Fields | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    if (w.on('metadata-broken-500')) throw broken()
    if (w.on('metadata-broken-ignored')) return undefined
    throw bad('metadata is not JSON')
  }
  if (Array.isArray(value)) {
    if (w.on('metadata-array-accepted')) return value as unknown as Fields
    throw bad('metadata has to be an object')
  }
  if (typeof value !== 'object' || value === null) {
    if (w.on('metadata-scalar-accepted')) return undefined
    throw bad('metadata has to be an object')
  }
  return value as Fields
}

export function sizedBytes(w: World, bytes: Buffer, source: Source): Buffer {
  const most = w.on('size-limit-quarter') ? w.maxFileBytes / 4 : w.maxFileBytes
  if (bytes.length <= most) return bytes
  if (source === 'url' && w.on('too-large-accepted-url')) return bytes
  if (source === 'batch' && w.on('too-large-accepted-batch')) return bytes
  if (source === 'ticket' && w.on('too-large-accepted-ticket')) return bytes
  if (source === 'file' && w.on('too-large-accepted') && bytes.length <= 2 * most) return bytes
  if (w.on('too-large-cut')) return bytes.subarray(0, most)
  throw tooLarge()
}

export function checkFormat(w: World, bytes: Buffer): void {
  if (bytes.length === 0) throw bad('The file is empty')
  const type = formatOf(bytes)
  if (type === undefined && !w.on('non-image-accepted')) {
    throw w.on('non-image-415') ? new Fault(415, 5415, 'Not an image') : bad('Not an image')
  }
  if (type === 'image/png' && w.on('corrupt-refused')) {
    try {
      decodePng(bytes)
    } catch {
      throw bad('The image is damaged')
    }
  }
}
