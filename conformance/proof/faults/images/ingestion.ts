import type { UploadForm } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fetchLater } from './fetch-later.ts'
import { fault, isObject, onForm, onRequest, placeholder, resultOf } from './building.ts'

const at = 'uploadImage'
const isHttpUrl = (url: string | undefined) => url !== undefined && /^https?:/i.test(url)
const withPlaceholder = (form: UploadForm): UploadForm => {
  const { url: _, ...fields } = form.fields
  return { ...form, fields, files: [placeholder] }
}

/**
 * Stores a placeholder if an image could not be fetched. Then calls `after` with a function that
 * removes images, and with the id of the placeholder.
 */
const storePlaceholder = (
  after: (remove: (id: string) => void, id: string) => void,
): ImagesFault['make'] =>
  onRequest(async (call, next, hit) => {
    const reply = await next()
    if (reply.status !== 400 || !/^multipart/i.test(call.headers['content-type'] ?? ''))
      return reply
    const form = await call.form()
    if (form.files.length > 0 || !isHttpUrl(form.fields['url'])) return reply
    hit()
    call.form = () => Promise.resolve(withPlaceholder(form))
    const stored = await next()
    const result = isObject(stored.body) ? stored.body['result'] : undefined
    if (isObject(result)) after((id) => void call.server.store.remove(id), String(result['id']))
    return stored
  }, at)

export const ingestion: readonly ImagesFault[] = [
  fault(
    'url-is-ignored',
    'Ignores the URL of an upload and refuses it because the file is missing.',
    ['IMG-UPLOAD-02'],
    onForm((form, hit) => {
      if (form.files.length > 0 || form.fields['url'] === undefined) return
      hit()
      delete form.fields['url']
    }, at),
  ),
  fault(
    'url-is-never-fetched',
    'Stores a placeholder for an upload by URL and does not fetch the image.',
    ['IMG-UPLOAD-02', 'IMG-UPLOAD-16'],
    onForm((form, hit) => {
      if (form.files.length > 0 || !isHttpUrl(form.fields['url'])) return
      hit()
      Object.assign(form, withPlaceholder(form))
    }, at),
  ),

  fault(
    'unknown-protocol-counts-as-http',
    'Fetches URLs of any scheme by HTTP.',
    ['IMG-UPLOAD-15'],
    onForm((form, hit) => {
      const { url } = form.fields
      if (form.files.length > 0 || url === undefined || isHttpUrl(url)) return
      hit()
      form.fields['url'] = url.replace(/^[^:]*:/, 'http:')
    }, at),
  ),
  fault(
    'unknown-protocol-stores-a-placeholder',
    'Stores a placeholder for an upload by a URL with an unsupported protocol.',
    ['IMG-UPLOAD-15'],
    onForm((form, hit) => {
      const { url } = form.fields
      if (form.files.length > 0 || url === undefined || isHttpUrl(url)) return
      hit()
      Object.assign(form, withPlaceholder(form))
    }, at),
  ),

  fault(
    'url-is-fetched-at-each-delivery',
    'Fetches the image of an upload by URL again from its URL for each delivery.',
    ['IMG-UPLOAD-02'],
    (hit) => {
      const urls = new Map<string, string>()
      return {
        around: async (call, next) => {
          if (call.operation === 'deliverImage') {
            const image = call.server.store.get(call.params['image_id'] ?? '')
            const url = urls.get(image?.id ?? '')
            if (image === undefined || url === undefined) return next()
            const response = await fetch(url)
            const bytes = new Uint8Array(await response.arrayBuffer())
            if (!response.ok) return next()
            if (!Buffer.from(bytes).equals(image.bytes ?? new Uint8Array())) hit()
            image.bytes = bytes
            return next()
          }
          const url =
            call.operation === 'uploadImage' ? (await call.form()).fields['url'] : undefined
          const reply = await next()
          if (url !== undefined && reply.status === 200)
            urls.set(String(resultOf(reply)['id']), url)
          return reply
        },
      }
    },
  ),
  fault(
    'nothing-at-the-url-stores-a-placeholder',
    'Stores a placeholder if there is no image at the URL.',
    ['IMG-UPLOAD-16'],
    storePlaceholder(() => {}),
  ),
  fault(
    'nothing-at-the-url-counts-as-success',
    'Returns a success if there is no image at the URL, and stores nothing.',
    ['IMG-UPLOAD-16'],
    storePlaceholder((remove, id) => remove(id)),
  ),
  fault(
    'nothing-at-the-url-stores-a-placeholder-later',
    'Fetches images after the response, and keeps a placeholder if there is none at the URL.',
    ['IMG-UPLOAD-16', 'IMG-UPLOAD-15', 'IMG-LIMIT-11'],
    onRequest((call, next, hit) => {
      const middleware = fetchLater((_, show) => {
        hit()
        show()
      })
      return middleware(call, next)
    }, at),
  ),
]
