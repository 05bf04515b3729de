// Operation 1, and uploads on the batch host.
import { Fault, bad, broken, type Fields, type World } from './world.ts'
import { ok, type Answer, type Call } from './call.ts'
import {
  checkFormat,
  checkId,
  duplicateId,
  findImage,
  formMetadata,
  metadataFits,
  sizedBytes,
  type Source,
} from './checks.ts'
import { fetchImage } from './fetch-url.ts'
import { parseForm, type Part } from './multipart.ts'
import { makeImage, storeImage } from './store.ts'
import { imageView } from './views.ts'

const known = ['file', 'url', 'id', 'requireSignedURLs', 'metadata']
const placeholder = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')

export function formOf(call: Call): Part[] {
  const { w } = call
  const type = call.request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw w.on('form-type-415') ? new Fault(415, 5415, 'A form is needed') : bad('A form is needed')
  }
  const body = call.body()
  try {
    return parseForm(w, type, body)
  } catch (error) {
    if (call.op === 'upload' && w.on('broken-form-500')) throw broken()
    throw error
  }
}

export const nameOfFile = (part: Part): string =>
  (part.filename ?? '').replace(/^.*[\\/]/, '') || 'image'

function nameOfUrl(w: World, text: string): string {
  if (w.on('filename-from-url-whole')) return text
  try {
    return decodeURIComponent(new URL(text).pathname.split('/').at(-1) ?? '') || 'image'
  } catch {
    return 'image'
  }
}

function signedField(w: World, text: string | undefined, source: Source): boolean | undefined {
  if (text === undefined) return undefined
  if (source === 'file' && w.on('signed-ignored')) return undefined
  if (source === 'url' && w.on('signed-ignored-for-url')) return undefined
  if (source === 'batch' && w.on('batch-signed-ignored')) return undefined
  if (w.on('signed-false-is-true')) return true
  if (text === 'true') return true
  if (text === 'false') return false
  if (w.on('boolean-forms')) {
    if (/^(1|yes|true)$/i.test(text)) return true
    if (/^(0|no|false)$/i.test(text)) return false
  }
  if (w.on('signed-garbage-accepted')) return false
  throw bad('requireSignedURLs has to be true or false')
}

interface Sent {
  file: Part | undefined
  url: string | undefined
  texts: Map<string, string>
}

function sentFields(call: Call): Sent {
  const { w } = call
  let parts = formOf(call)
  const at = parts.findIndex((part) => part.name === 'file')
  if (at >= 0 && w.on('fields-after-file-lost')) parts = parts.slice(0, at + 1)
  const strange = parts.find((part) => !known.includes(part.name))
  if (strange && w.on('unknown-field-refused')) throw bad(`Unknown field ${strange.name}`)
  let file = parts.find((part) => part.name === 'file')
  if (file && file.filename === undefined && w.on('file-needs-filename')) file = undefined
  const texts = new Map<string, string>()
  for (const part of parts) {
    if (part.name === 'file' || texts.has(part.name)) continue
    const encoding = part.name === 'metadata' && w.on('metadata-mangled') ? 'latin1' : 'utf8'
    texts.set(part.name, part.data.toString(encoding))
  }
  return { file, url: texts.get('url'), texts }
}

async function bytesOf(call: Call, sent: Sent, source: Source): Promise<Buffer> {
  const { w } = call
  if (sent.file) {
    const bytes = sizedBytes(w, sent.file.data, source)
    checkFormat(w, bytes)
    return bytes
  }
  if (sent.url === undefined) return Buffer.alloc(0)
  if (w.on('url-placeholder')) return placeholder
  try {
    const fetched = await fetchImage(w, sent.url)
    if (fetched.status < 200 || fetched.status > 299) {
      if (w.on('url-error-stored')) return fetched.bytes
      throw w.on('fetch-failure-404')
        ? new Fault(404, 5404, 'No image at the url')
        : bad(`The url answers ${fetched.status}`)
    }
    if (w.on('fetch-needs-image-type') && !/^image\//i.test(fetched.type)) {
      throw bad('The url is not of an image')
    }
    const unchecked = w.any('url-protocol-accepted', 'url-protocol-via-redirect')
    if (unchecked && fetched.bytes.length === 0) return fetched.bytes
    const bytes = sizedBytes(w, fetched.bytes, source === 'batch' ? source : 'url')
    checkFormat(w, bytes)
    return bytes
  } catch (error) {
    const fault = error instanceof Fault ? error : undefined
    if (w.on('url-text-stored') && fault?.status === 400 && fault.code === 5400) {
      return Buffer.alloc(0)
    }
    throw error
  }
}

export async function upload(call: Call): Promise<Answer> {
  const { w, account } = call
  const batch = call.op === 'batch-upload'
  const sent = sentFields(call)
  const source: Source = batch ? 'batch' : sent.file ? 'file' : 'url'
  const via = sent.file ? 'file' : 'url'
  const keep = (
    id: string | undefined,
    metadata: Fields | undefined,
    bytes: Buffer,
    signed: boolean | undefined,
    filename: string,
  ): Answer => {
    const made = { id, filename, signed, metadata, bytes, via, door: call.door } as const
    const image = storeImage(w, account, makeImage(w, account, made))
    return ok(imageView(w, account, image, batch ? 'batch-upload' : 'upload'))
  }
  if (sent.file && sent.url !== undefined) {
    if (!batch && w.on('both-refused-yet-stored')) {
      keep(undefined, undefined, sent.file.data, undefined, nameOfFile(sent.file))
    }
    if (!w.on(batch ? 'batch-both-accepted' : 'both-accepted')) {
      throw bad('file and url must not both be sent')
    }
  }
  if (!sent.file && sent.url === undefined) {
    if (!batch && w.on('neither-500')) throw broken()
    if (batch || !w.on('neither-accepted')) throw bad('file or url is needed')
  }
  if (batch && !sent.file && w.on('batch-url-refused')) throw bad('file is needed')
  const filename = sent.file ? nameOfFile(sent.file) : nameOfUrl(w, sent.url ?? '')
  const signed = signedField(w, sent.texts.get('requireSignedURLs'), source)
  let id = sent.texts.get('id')
  if (id !== undefined) checkId(w, id)
  if (
    w.on(
      batch
        ? 'batch-custom-id-ignored'
        : via === 'url'
          ? 'custom-id-ignored-for-url'
          : 'custom-id-ignored',
    )
  )
    id = undefined
  const text = sent.texts.get('metadata')
  let metadata: Fields | undefined
  if (text !== undefined) {
    if (metadataFits(w, text, source)) metadata = formMetadata(w, text)
    else if (!w.on('metadata-cut')) {
      if (sent.file && w.on('metadata-refused-yet-stored')) {
        keep(id, undefined, sent.file.data, signed, filename)
      }
      throw bad('metadata may have 1024 bytes at most')
    }
  }
  if (via === 'url' && w.on('metadata-ignored-for-url')) metadata = undefined
  if (batch && w.on('batch-metadata-ignored')) metadata = undefined
  const taken = id === undefined ? undefined : findImage(account, id)
  if (taken) {
    if (sent.file && w.on('duplicate-id-refused-yet-replaced')) {
      taken.bytes = sent.file.data
      taken.filename = filename
    }
    throw duplicateId(w)
  }
  let bytes: Buffer
  try {
    bytes = await bytesOf(call, sent, source)
  } catch (error) {
    if (error instanceof Fault && error.status === 413 && w.on('too-large-stored')) {
      keep(id, metadata, sent.file?.data ?? placeholder, signed, filename)
    }
    throw error
  }
  return keep(id, metadata, bytes, signed, filename)
}
