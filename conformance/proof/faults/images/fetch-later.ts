import type { ImagesMiddleware } from '../../../../mocks/stateful/images.ts'
import { isObject, placeholder } from './building.ts'

/**
 * Responds to an upload by URL, and fetches the image afterwards. The image is shown and listed
 * when it has arrived. `onFailure` is called if there is no image at the URL, with functions that
 * remove the image, and that show a placeholder.
 */
export const fetchLater =
  (onFailure: (remove: () => void, show: () => void) => void): ImagesMiddleware =>
  async (call, next) => {
    const form = await call.form().catch(() => undefined)
    const { url, ...fields } = form?.fields ?? {}
    if (form === undefined || form.files.length > 0 || !/^https?:/i.test(url ?? '')) return next()
    const filename = new URL(url!).pathname.split('/').pop()!
    call.form = () => Promise.resolve({ ...form, fields, files: [{ ...placeholder, filename }] })
    const reply = await next()
    const result = isObject(reply.body) ? reply.body['result'] : undefined
    const { store, options } = call.server
    const image = isObject(result) ? store.get(String(result['id'])) : undefined
    if (reply.status !== 200 || image === undefined) return reply
    image.isVisible = false
    store.unlist(image)
    const show = () => {
      image.isVisible = true
      if (!image.isRemoved) store.list(image)
    }
    const complete = async () => {
      const response = await fetch(url!)
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (!response.ok || bytes.length > options.maxFileBytes) throw new Error('no image')
      image.bytes = bytes
      image.type = 'image/png'
      show()
    }
    const fail = () => onFailure(() => void store.remove(image.id), show)
    setTimeout(() => void complete().catch(fail), 10)
    return reply
  }
