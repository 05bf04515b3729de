// Delivery: {delivery_url}/<account_hash>/<image_id>/<variant_name>.
import { createHash } from 'node:crypto'
import { Fail, sendFail } from './wire.mjs'
import { decode, encode, resize } from './png.mjs'
import { ingest } from './ingest.mjs'
import { variantOwner } from './store.mjs'
import { FITS } from './variants.mjs'

const MAX_OUT = 16e6

/** Where the picture is taken from (region of the source), how large it is drawn, and on what canvas. */
export function plan(s, options, sw, sh) {
  let { width: w, height: h } = options
  const { fit } = options
  if (s.on('width-and-height-swapped')) [w, h] = [h, w]
  if (s.on('height-not-limited') && (fit === 'contain' || fit === 'scale-down')) h = undefined
  if (s.on('portrait-limited-by-width-only') && sh > sw && fit === 'scale-down') h = undefined
  if (s.on('limits-from-256-ignored') && fit === 'scale-down' && w >= 256) w = undefined
  const whole = { x: 0, y: 0, w: sw, h: sh }
  const rw = w ? w / sw : Infinity
  const rh = h ? h / sh : Infinity
  const fixed = {
    w: w || Math.max(1, Math.round(sw * rh)),
    h: h || Math.max(1, Math.round(sh * rw)),
  }
  const cut = (cw, ch, ratio) => ({
    x: (sw - cw / ratio) / 2,
    y: (sh - ch / ratio) / 2,
    w: cw / ratio,
    h: ch / ratio,
  })
  if (rw === Infinity && rh === Infinity) return { region: whole, w: sw, h: sh }
  let fill = Math.max(rw === Infinity ? 0 : rw, rh === Infinity ? 0 : rh)
  if (fit === 'cover') {
    if (s.on('cover-result-not-cut'))
      return { region: whole, w: Math.round(sw * fill), h: Math.round(sh * fill) }
    return { region: cut(fixed.w, fixed.h, fill), w: fixed.w, h: fixed.h }
  }
  if (fit === 'crop') {
    if (!s.on('crop-enlarges')) fill = Math.min(1, fill)
    const cw = Math.min(fixed.w, Math.max(1, Math.round(sw * fill)))
    const ch = Math.min(fixed.h, Math.max(1, Math.round(sh * fill)))
    return { region: cut(cw, ch, fill), w: cw, h: ch }
  }
  let ratio = Math.min(rw, rh)
  if (fit === 'scale-down' && !s.on('scale-down-enlarges')) ratio = Math.min(1, ratio)
  if (fit === 'contain' && s.on('contain-never-enlarges')) ratio = Math.min(1, ratio)
  const round = s.on('sizes-rounded-down') ? (x) => Math.floor(x + 1e-6) : Math.round
  const dw = Math.max(1, round(sw * ratio))
  const dh = Math.max(1, round(sh * ratio))
  const drawn = { region: whole, w: w ? Math.min(w, dw) : dw, h: h ? Math.min(h, dh) : dh }
  if (s.on('one-pixel-over-the-maximum') && ratio < 1 && drawn.h === h) drawn.h += 1
  if (fit === 'pad') {
    drawn.canvas = { w: fixed.w, h: fixed.h }
    if (s.on('pad-border-outside')) drawn.canvas = { w: fixed.w + 2, h: fixed.h + 2 }
  }
  return drawn
}

function padTo(s, img, canvas) {
  const pixels = new Uint8Array(canvas.w * canvas.h * 4).fill(s.on('pad-is-transparent') ? 0 : 255)
  const [left, top] = [(canvas.w - img.width) >> 1, (canvas.h - img.height) >> 1]
  for (let y = 0; y < img.height; y++) {
    for (let x = 0; x < img.width; x++) {
      const from = (y * img.width + x) * 4
      const to = ((top + y) * canvas.w + left + x) * 4
      const alpha = img.pixels[from + 3] / 255
      // The picture is laid over the canvas.
      for (let k = 0; k < 3; k++)
        pixels[to + k] =
          alpha === 1
            ? img.pixels[from + k]
            : Math.round(img.pixels[from + k] * alpha + pixels[to + k] * (1 - alpha))
      pixels[to + 3] = Math.max(pixels[to + 3], img.pixels[from + 3])
    }
  }
  return { width: canvas.w, height: canvas.h, pixels }
}

const isCopyright = (t) =>
  t.type.endsWith('Xt') &&
  t.body
    .subarray(0, Math.max(0, t.body.indexOf(0)))
    .toString('latin1')
    .toLowerCase() === 'copyright'

export function render(s, bytes, options) {
  const img = decode(bytes)
  if (bytes[28] === 1 && s.on('interlaced-not-resized')) return bytes
  if (bytes[25] === 3 && s.on('palette-images-not-resized')) return bytes
  const todo = plan(s, options, img.width, img.height)
  if (
    Math.max(todo.w * todo.h, (todo.canvas?.w ?? 0) * (todo.canvas?.h ?? 0), todo.w * img.height) >
    MAX_OUT
  )
    throw new Error('too large')
  let out = img
  if (
    todo.w !== img.width ||
    todo.h !== img.height ||
    todo.region.w !== img.width ||
    todo.region.h !== img.height
  ) {
    out = resize(img, todo.region, todo.w, todo.h, s.on('nearest-pixel-scaling'))
  }
  if (todo.canvas) out = padTo(s, out, todo.canvas)
  let keep = options.metadata
  if (keep === 'none' && s.on('metadata-none-keeps-texts')) keep = 'keep'
  if (keep === 'keep' && s.on('metadata-keep-drops-texts')) keep = 'none'
  if (keep === 'copyright' && s.on('metadata-copyright-keeps-all')) keep = 'keep'
  if (keep === 'copyright' && s.on('metadata-copyright-drops-all')) keep = 'none'
  const texts = img.texts.filter((t) => keep === 'keep' || (keep === 'copyright' && isCopyright(t)))
  return encode(out, texts)
}

/** A dynamic transformation such as width=100,fit=cover; undefined when the text is none. */
function dynamic(text) {
  const options = { fit: 'scale-down', metadata: 'none' }
  const names = {
    w: 'width',
    width: 'width',
    h: 'height',
    height: 'height',
    fit: 'fit',
    metadata: 'metadata',
  }
  for (const pair of text.split(',')) {
    const [, key, value] = /^([a-z]+)=([a-z0-9-]+)$/.exec(pair) ?? []
    const name = names[key]
    if (!name) return undefined
    if (name === 'width' || name === 'height') {
      if (!/^[1-9]\d{0,8}$/.test(value)) return undefined
      options[name] = Number(value)
    } else options[name] = value
  }
  return FITS.includes(options.fit) ? options : undefined
}

function mayServe(s, image, variant, query, method) {
  if (!image.signed) return true
  if (variant.never && !s.on('never-flag-not-obeyed')) return true
  if (s.on('private-served-unsigned')) return true
  if (s.on('private-batch-images-served') && image.door === 'batch') return true
  if (s.on('private-ticket-images-served') && image.fromTicket) return true
  if (s.on('private-served-by-newer-variants') && variant.born > image.born) return true
  if (s.on('any-signature-accepted') && (query.has('sig') || query.has('signature'))) return true
  if (s.on('private-open-after-open-variant') && image.opened) return true
  return s.on('private-head-answered') && method === 'HEAD'
}

async function answer(s, req, url, res) {
  if (req.method !== 'GET' && req.method !== 'HEAD') throw new Fail(404, 'images are read with GET')
  let parts
  try {
    parts = url.pathname.slice(1).split('/').map(decodeURIComponent)
  } catch {
    throw new Fail(400, 'the path is not well-formed')
  }
  const [hash, id, name] = parts
  let account = s.accounts.find((a) => a.hash === hash)
  if (!account && s.on('any-account-hash-delivers'))
    account = s.accounts.find((a) => a.images.has(id))
  if (parts.length !== 3 || !account) throw new Fail(404, 'no such image')
  let image = account.images.get(id)
  if (!image && s.on('deleted-image-still-delivered')) image = account.leftovers.get(id)
  if (s.on('old-content-for-same-id') && account.leftovers.has(id) && image)
    image = account.leftovers.get(id)
  if (!image || image.draft) throw new Fail(404, 'no such image')
  const owner = variantOwner(s, account)
  let variant = owner.variants.get(name)
  if (!variant && s.on('deleted-variant-still-delivers')) variant = owner.oldVariants?.get(name)
  if (!variant && name.includes('=')) {
    const options = dynamic(name)
    if (!account.flexible)
      throw new Fail(s.on('dynamic-off-403') ? 403 : 404, 'dynamic transformations are off')
    if (!options) throw new Fail(400, 'no such transformation')
    variant = { id: name, options, never: false, born: 0 }
  }
  const asIs = !variant && s.on('unknown-variant-delivers-original')
  if (asIs) variant = { id: name, options: {}, never: false, born: 0 }
  if (!variant) throw new Fail(404, 'no such variant')
  if (!mayServe(s, image, variant, url.searchParams, req.method)) {
    throw new Fail(
      s.on('private-image-401') ? 401 : s.on('private-image-404') ? 404 : 403,
      'this image needs a signed URL',
    )
  }
  if (variant.never) image.opened = true
  let { bytes } = image
  if (image.source) bytes = (await ingest(s, image.source)).data
  let out = bytes
  const key = `${account.id}/${image.id}/${variant.id}`
  if (s.on('rendered-image-outlives-update') && s.rendered.has(key)) out = s.rendered.get(key)
  else if (image.type === 'image/png' && !asIs) {
    try {
      out = render(s, bytes, variant.options)
    } catch {
      if (!s.on('broken-image-delivered-as-is'))
        throw new Fail(s.on('broken-image-500') ? 500 : 502, 'the image could not be transformed')
    }
  } else if (image.type === 'application/octet-stream')
    throw new Fail(502, 'the image could not be transformed')
  s.rendered.set(key, out)
  const headers = { 'content-type': image.type, 'content-length': out.length }
  if (s.on('delivery-may-be-cached')) headers['cache-control'] = 'public, max-age=60'
  if (s.on('delivery-names-the-file'))
    headers['content-disposition'] =
      `inline; filename*=UTF-8''${encodeURIComponent(image.filename)}`
  if (s.on('delivery-forbids-sniffing')) headers['x-content-type-options'] = 'nosniff'
  if (s.on('delivery-entity-tags')) {
    headers.etag = `"${createHash('sha1').update(out).digest('hex')}"`
    if (req.headers['if-none-match'] === headers.etag)
      return void res.writeHead(304, { etag: headers.etag }).end()
  }
  res.writeHead(200, headers)
  res.end(req.method === 'HEAD' ? undefined : out)
}

export async function deliver(s, req, url, res) {
  try {
    await answer(s, req, url, res)
  } catch (err) {
    if (err instanceof Fail && s.on('delivery-errors-as-text'))
      return void res
        .writeHead(err.status, { 'content-type': 'text/plain' })
        .end(req.method === 'HEAD' ? undefined : `${err.message}\n`)
    sendFail(s, res, err, { door: 'delivery' })
  }
}
