import type { UploadForm } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, isObject, onForm, onRequest, placeholder } from './building.ts'

const at = 'uploadImage'
const isWeb = (url: string | undefined) => url !== undefined && /^https?:/i.test(url)
const withPlaceholder = (form: UploadForm): UploadForm => {
  const { url: _, ...fields } = form.fields
  return { ...form, fields, files: [placeholder] }
}

/** Where a picture could not be fetched, a placeholder is stored in its place. */
const whereNothingIs = (
  after: (remove: (id: string) => void, id: string) => void,
): ImagesFault['make'] =>
  onRequest(async (call, next, hit) => {
    const reply = await next()
    if (reply.status !== 400 || !/^multipart/i.test(call.headers['content-type'] ?? ''))
      return reply
    const form = await call.form()
    if (form.files.length > 0 || !isWeb(form.fields['url'])) return reply
    hit()
    call.form = () => Promise.resolve(withPlaceholder(form))
    const stored = await next()
    const result = isObject(stored.body) ? stored.body['result'] : undefined
    if (isObject(result)) after((id) => void call.server.store.remove(id), String(result['id']))
    return stored
  }, at)

export const ingestion: readonly ImagesFault[] = [
  fault(
    'url-is-passed-over',
    'A URL in place of a file is passed over, and the upload refused for want of a file.',
    ['IMG-UPLOAD-02'],
    onForm((form, hit) => {
      if (form.files.length > 0 || form.fields['url'] === undefined) return
      hit()
      delete form.fields['url']
    }, at),
  ),
  fault(
    'url-is-never-fetched',
    'An upload by URL stores a placeholder, and nobody ever fetches the picture.',
    ['IMG-UPLOAD-02', 'IMG-UPLOAD-16'],
    onForm((form, hit) => {
      if (form.files.length > 0 || !isWeb(form.fields['url'])) return
      hit()
      Object.assign(form, withPlaceholder(form))
    }, at),
  ),

  fault(
    'unknown-protocol-counts-as-http',
    'A URL of any protocol is fetched by HTTP.',
    ['IMG-UPLOAD-15'],
    onForm((form, hit) => {
      const { url } = form.fields
      if (form.files.length > 0 || url === undefined || isWeb(url)) return
      hit()
      form.fields['url'] = url.replace(/^[^:]*:/, 'http:')
    }, at),
  ),
  fault(
    'unknown-protocol-stores-a-placeholder',
    'An upload by a URL of an unknown protocol stores a placeholder.',
    ['IMG-UPLOAD-15'],
    onForm((form, hit) => {
      const { url } = form.fields
      if (form.files.length > 0 || url === undefined || isWeb(url)) return
      hit()
      Object.assign(form, withPlaceholder(form))
    }, at),
  ),

  fault(
    'nothing-at-the-url-stores-a-placeholder',
    'Where there is no picture at the URL, a placeholder is stored.',
    ['IMG-UPLOAD-16'],
    whereNothingIs(() => {}),
  ),
  fault(
    'nothing-at-the-url-counts-as-success',
    'Where there is no picture at the URL, the upload is answered as a success and nothing is stored.',
    ['IMG-UPLOAD-16'],
    whereNothingIs((remove, id) => remove(id)),
  ),
]
