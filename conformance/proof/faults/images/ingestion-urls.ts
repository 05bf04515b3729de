import type { ImagesFault } from './fault.ts'
import { fault, onForm, onRequest, placeholder } from './building.ts'

const at = 'uploadImage'

/** Faults in how the URL of an upload is read and fetched. */
export const ingestionUrls: readonly ImagesFault[] = [
  ...Object.entries({
    'percent-decoded': decodeURIComponent,
    'lower-cased': (url: string) => url.toLowerCase(),
  }).map(([name, change]) =>
    fault(
      `url-is-${name}`,
      `Fetches a URL that is ${name}.`,
      ['IMG-UPLOAD-02'],
      onForm((form, hit) => {
        const { url } = form.fields
        if (url === undefined || !/^https?:.*%252F/.test(url)) return
        hit()
        form.fields['url'] = change(url)
      }, at),
    ),
  ),
  fault(
    'url-loses-its-query',
    'Fetches the URL of an upload without its query.',
    ['IMG-UPLOAD-02'],
    onForm((form, hit) => {
      const { url } = form.fields
      if (url === undefined || !/^https?:.*[?]/.test(url)) return
      hit()
      form.fields['url'] = url.replace(/[?].*$/, '')
    }, at),
  ),
  fault(
    'url-is-fetched-once',
    'Fetches each URL once, and stores the same bytes at every further upload.',
    ['IMG-UPLOAD-02'],
    (hit) => {
      const known = new Map<string, Uint8Array>()
      return onRequest(async (call, next) => {
        const form = await call.form().catch(() => undefined)
        const url = form?.files.length === 0 ? form.fields['url'] : undefined
        const bytes = known.get(url ?? '')
        if (form !== undefined && bytes !== undefined) {
          hit()
          delete form.fields['url']
          form.files.push({ ...placeholder, bytes })
          return next()
        }
        const reply = await next()
        const { id } = Object(Object(reply.body).result) as { id?: string }
        const stored = call.server.store.get(id ?? '')?.bytes
        if (url !== undefined && stored !== undefined) known.set(url, stored)
        return reply
      }, at)(hit)
    },
  ),
  fault(
    'url-may-redirect-to-any-scheme',
    'Stores a placeholder if a URL redirects to a scheme that cannot be fetched.',
    ['IMG-UPLOAD-15'],
    onRequest(async (call, next, hit) => {
      const form = await call.form().catch(() => undefined)
      const reply = await next()
      if (form === undefined || !/[/]moved[/]/.test(form.fields['url'] ?? '')) return reply
      if (reply.status === 200) return reply
      hit()
      delete form.fields['url']
      form.files.push(placeholder)
      return next()
    }, at),
  ),
  fault(
    'url-may-be-any-text',
    'Stores a placeholder if the url of an upload is a string that is not a URL.',
    ['IMG-UPLOAD-16'],
    onForm((form, hit) => {
      const { url } = form.fields
      if (form.files.length > 0 || url === undefined || URL.canParse(url)) return
      hit()
      delete form.fields['url']
      form.files.push(placeholder)
    }, at),
  ),
]
