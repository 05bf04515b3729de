// Delivers images through their variants.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Answer } from './call.ts'
import { draw, formatOf, planFor, sizeOf, type Plan, type Size } from './picture.ts'
import { chunk, decodePng, encodePng } from './png.ts'
import {
  Fault,
  broken,
  hour,
  missing,
  type Account,
  type Image,
  type Options,
  type Variant,
  type World,
} from './world.ts'

interface Rendition {
  bytes: Buffer
  type: string
}

const dot = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
const same = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height

function accountFor(w: World, hash: string, id: string): Account | undefined {
  const exact = w.accounts.find((account) => account.hash === hash)
  const holder = w.accounts.find((account) => account.images.some((image) => image.id === id))
  if (exact && w.on('delivery-any-hash')) return holder ?? exact
  return exact ?? (w.on('delivery-unknown-hash') ? holder : undefined)
}

function flexible(account: Account, name: string): Variant | undefined {
  if (!account.flexible || !/^[a-z-]+=[^,=]+(,[a-z-]+=[^,=]+)*$/.test(name)) return undefined
  const values = new Map(name.split(',').map((pair) => pair.split('=') as [string, string]))
  const side = (...keys: string[]): number | undefined => {
    const value = Number(keys.map((key) => values.get(key)).find((one) => one !== undefined))
    return Number.isInteger(value) && value > 0 && value <= 12_000 ? value : undefined
  }
  const options: Options = { fit: values.get('fit') ?? 'scale-down', metadata: 'none' }
  const [width, height] = [side('w', 'width'), side('h', 'height')]
  if (width !== undefined) options.width = width
  if (height !== undefined) options.height = height
  return {
    id: name,
    options,
    never: false,
    createdAt: 0,
    modifiedAt: 0,
    deletedAt: 0,
    first: options,
    changes: 0,
    builtIn: false,
  }
}

function findVariant(w: World, account: Account, name: string): Variant | undefined {
  const exact = account.variants.find((variant) => variant.id === name)
  if (exact) return account.flexible && w.on('config-stops-named') ? undefined : exact
  const gone = account.deletedVariants.find((variant) => variant.id === name)
  if (gone && w.on('variant-delete-keeps-delivery')) return gone
  const original = { fit: 'scale-down', metadata: 'none' }
  if (w.on('delivery-original-for-unknown')) {
    return { ...(account.variants[0] as Variant), id: name, options: original, first: original }
  }
  return flexible(account, name)
}

function opened(
  w: World,
  account: Account,
  image: Image,
  variant: Variant,
  request: IncomingMessage,
  url: URL,
): boolean {
  if (variant.never === true && !w.on('variant-flag-not-obeyed')) return true
  if (w.on('variant-flag-leaks') && account.variants.some((one) => one.never === true)) return true
  if (image.custom && w.on('public-refused')) return false
  if (!image.signed || w.on('private-served')) return true
  if (!variant.builtIn && w.on('private-served-other-variants')) return true
  if (image.via === 'ticket' && w.on('private-served-from-ticket')) return true
  if (image.via === 'url' && w.on('private-served-from-url')) return true
  if (image.door === 'batch' && w.on('private-served-from-batch')) return true
  if (w.now() > image.uploadedAt + hour && w.on('private-served-after-hour')) return true
  if (request.method === 'HEAD' && w.on('private-served-to-head')) return true
  if (account.flexible && w.on('private-served-when-flexible')) return true
  if (url.search.length > 1 && w.on('private-served-with-query')) return true
  if (url.searchParams.has('sig') && w.on('private-served-with-sig')) return true
  return w.on('private-served-after-refusal') && image.refusals++ > 0
}

function altered(w: World, plan: Plan, source: Size, fit: string, sides: [number, number]): Plan {
  const original = { cut: source, scaled: source, canvas: source }
  const [width, height] = sides
  const larger = Math.max(width / source.width, height / source.height)
  const overflow = {
    width: Math.max(1, Math.round(source.width * larger)),
    height: Math.max(1, Math.round(source.height * larger)),
  }
  if (fit === 'crop' && w.on('delivery-crop-original')) return original
  if (source.width <= 2 * width && source.height <= 2 * height && w.on('delivery-shortfall')) {
    return original
  }
  const both = Number.isFinite(larger)
  if (
    both &&
    ((fit === 'cover' && w.on('delivery-cover-overflows')) ||
      (fit === 'contain' && w.on('delivery-contain-longer')))
  ) {
    return { cut: source, scaled: overflow, canvas: overflow }
  }
  if (fit === 'pad' && w.on('delivery-pad-margin')) {
    return { ...plan, canvas: { ...plan.canvas, width: plan.canvas.width + 8 } }
  }
  if (!same(plan.canvas, source) && w.on('delivery-one-more')) {
    const canvas = { width: plan.canvas.width + 1, height: plan.canvas.height }
    return { ...plan, scaled: canvas, canvas }
  }
  return plan
}

function render(w: World, image: Image, options: Options): Rendition {
  const { bytes } = image
  const type = formatOf(bytes) ?? 'application/octet-stream'
  const size = sizeOf(bytes)
  const side = (value: unknown): number | undefined => {
    const number = Number(value)
    return value === undefined || !(number >= 1) ? undefined : Math.floor(number)
  }
  let [width, height] = [side(options.width), side(options.height)]
  if (w.on('delivery-swapped')) [width, height] = [height, width]
  if (w.on('delivery-double')) [width, height] = [width && width * 2, height && height * 2]
  if (width === undefined && w.on('delivery-height-only-ignored')) height = undefined
  if (w.on('delivery-width-ignored')) width = undefined
  if (w.on('delivery-height-ignored')) height = undefined
  if (size && size.height > size.width && w.on('delivery-portrait-too-high')) height = undefined
  const asIs = { bytes, type }
  if (!size) return asIs
  const fit = String(options.fit)
  const enlarge = !w.on('delivery-never-enlarges')
  const plan = altered(w, planFor(size, fit, width, height, enlarge), size, fit, [
    width ?? Infinity,
    height ?? Infinity,
  ])
  const untouched = same(plan.cut, size) && same(plan.scaled, size) && same(plan.canvas, size)
  if (type !== 'image/png') {
    const fitting = size.width <= (width ?? Infinity) && size.height <= (height ?? Infinity)
    if (fitting || w.on('delivery-error-200')) return asIs
    throw new Fault(502, 5502, 'This format cannot be transformed')
  }
  if (untouched && !w.on('delivery-reencoded')) return asIs
  if (plan.canvas.width * plan.canvas.height > 20_000_000) {
    throw new Fault(502, 5502, 'The result would be too large')
  }
  let picture
  try {
    picture = draw(decodePng(bytes), plan)
  } catch {
    if (w.on('delivery-error-200')) return asIs
    throw w.on('delivery-error-500') ? broken() : new Fault(502, 5502, 'The image is damaged')
  }
  if (w.on('delivery-blank') && !untouched) picture.data.fill(0)
  return { bytes: encodePng(picture), type }
}

function remembered(w: World, image: Image, variant: Variant): Rendition {
  const fresh = (): Rendition =>
    render(w, image, w.on('patch-not-delivered') ? variant.first : variant.options)
  const key = w.on('delivery-first-rendition')
    ? `image ${image.id}`
    : w.on('delivery-other-image')
      ? `variant ${variant.id}`
      : w.on('patch-rendition-kept')
        ? `both ${image.id} ${variant.id}`
        : undefined
  if (key === undefined) return fresh()
  const found = w.renditions.get(key) ?? fresh()
  w.renditions.set(key, found)
  return found
}

function withText(bytes: Buffer): Buffer {
  const text = chunk('tEXt', Buffer.from('Software\0image service', 'latin1'))
  return Buffer.concat([bytes.subarray(0, -12), text, bytes.subarray(-12)])
}

function locate(w: World, hash: string, id: string): { account: Account; image: Image } {
  const account = accountFor(w, hash, id)
  if (!account) throw missing('Image')
  let image = account.images.find((one) => one.id === id && !one.draft && !one.broken)
  if (!image && w.on('delete-keeps-delivery')) {
    image = account.deletedImages.find((one) => one.id === id)
  }
  if (!image) throw missing('Image')
  const hidden =
    (image.door === 'batch' && w.on('batch-not-deliverable')) ||
    (image.custom && w.on('delivery-custom-ids-missing')) ||
    (image.via === 'url' && w.on('delivery-from-url-missing')) ||
    (w.on('delivery-stops-after-day') && image.uploadedAt + 24 * hour < w.now()) ||
    (w.on('delivery-warm-up') && image.uploadedAt + 500 > w.now())
  if (hidden) throw missing('Image')
  return { account, image }
}

export function deliver(w: World, request: IncomingMessage, url: URL, path: string[]): Answer {
  const [hash = '', ...rest] = path
  const name = rest.at(-1) ?? ''
  const id = rest.slice(0, -1).join('/')
  if (w.on('delivery-needs-token') && !/^Bearer \S/.test(request.headers.authorization ?? '')) {
    throw new Fault(401, 5401, 'A token is needed')
  }
  const cacheKey = url.pathname
  let found: { account: Account; image: Image }
  try {
    found = locate(w, hash, id)
  } catch (error) {
    const cached = w.cached.get(cacheKey)
    if (cached && cached.until > Date.now() && w.on('delivery-cache-second')) {
      return { status: 200, raw: { type: cached.type, body: cached.bytes } }
    }
    if (w.on('delivery-placeholder')) {
      return { status: 200, raw: { type: 'image/svg+xml', body: dot } }
    }
    throw w.on('delivery-missing-500') ? broken() : error
  }
  const { account, image } = found
  const variant = findVariant(w, account, name)
  if (!variant) throw w.on('delivery-unknown-500') ? broken() : missing('Variant')
  if (!opened(w, account, image, variant, request, url)) {
    if (w.on('private-404')) throw missing('Image')
    throw w.on('private-401')
      ? new Fault(401, 5401, 'A signature is needed')
      : new Fault(403, 5403, 'A signature is needed')
  }
  if (w.on('delivery-once') && w.count(`delivered ${cacheKey}`) > 1) throw missing('Image')
  if (w.on('delivery-redirect') && url.pathname.startsWith('/cdn/')) {
    const { origin } = new URL(w.origins.delivery)
    const location = origin + url.pathname.replace('/cdn/', '/stored/')
    return { status: 302, headers: { location }, raw: { type: 'text/plain', body: 'see there' } }
  }
  let { bytes, type } = remembered(w, image, variant)
  if (type === 'image/png' && w.on('delivery-text-chunk')) bytes = withText(bytes)
  if (w.on('delivery-cut')) bytes = bytes.subarray(0, 2048)
  w.cached.set(cacheKey, { until: Date.now() + 1000, bytes, type })
  const headers: Record<string, string> = {}
  if (w.on('delivery-etag')) {
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 20)}"`
    headers['etag'] = etag
    headers['cache-control'] = 'public, max-age=0, must-revalidate'
    if (request.headers['if-none-match'] === etag) {
      return { status: 304, headers, raw: { type, body: '' } }
    }
  }
  return { status: 200, headers, raw: { type, body: bytes } }
}
