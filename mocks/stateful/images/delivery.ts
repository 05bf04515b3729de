import { createHash } from 'node:crypto'
import type { ImagesCall, ImagesReply } from './call.ts'
import { sniff } from './image.ts'
import { ImagesRefusal } from './refusal.ts'
import { drawPng, isOriginal, sizeOf } from './rendition.ts'
import type { Image, Variant, VariantOptions } from './store.ts'
import { isSigned } from './tokens.ts'

/** Delivers an image in a variant. Only PNG images can be resized. */
export function deliverImage(call: ImagesCall): ImagesReply {
  const { store, options } = call.server
  const id = call.params['image_id'] ?? ''
  const image = store.read(id) ?? store.deleted.get(id)
  if (
    call.params['hash'] !== options.accountHash ||
    image === undefined ||
    image.draft ||
    image.bytes === undefined
  ) {
    throw new ImagesRefusal('image-unknown', 404, 'There is no such image')
  }
  const name = call.params['variant'] ?? ''
  const variant = store.readVariants().get(name)
  if (variant === undefined && !mayTransform(call, name))
    throw new ImagesRefusal('variant-unknown', 404, 'There is no such variant')
  if (
    needsSignature(call, image, variant) &&
    !isSigned(call.server, call.path, call.query.get('sig'))
  ) {
    throw new ImagesRefusal(
      'signature-missing',
      call.server.choices.privateRefusal,
      'This image requires a signed URL',
    )
  }
  const body = render(call, image.bytes, variant?.options ?? optionsOf(name))
  const tag = tagOf(body)
  const headers = { 'Cache-Control': 'no-store', ETag: tag }
  return isKnown(call, tag)
    ? { status: 304, headers, body: new Uint8Array(0) }
    : { status: 200, headers: { ...headers, 'Content-Type': image.type }, body }
}

/** A strong entity tag of these bytes. */
const tagOf = (bytes: Uint8Array) =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

/**
 * Whether the client has the image with this entity tag already. `If-None-Match` ignores whether a
 * tag is weak (RFC 9110 §13.1.2).
 */
function isKnown({ headers }: ImagesCall, tag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim())
  return known.includes('*') || known.some((one) => one.replace(/^W[/]/, '') === tag)
}

/** The bytes of an image within the bounds of a variant. */
function render(call: ImagesCall, bytes: Uint8Array, options: VariantOptions): Uint8Array {
  const size = sizeOf(bytes)
  // A file without a known size is not an image, and is delivered as it is.
  if (size === undefined) return bytes
  const rendition = call.server.rules.planRendition(size, options)
  if (isOriginal(size, rendition)) return bytes
  if (sniff(bytes) !== 'image/png') {
    if (size.width <= options.width && size.height <= options.height) return bytes
    throw untransformable('Only PNG images can be resized')
  }
  try {
    return drawPng(bytes, rendition)
  } catch {
    throw untransformable('The image cannot be decoded')
  }
}

function mayTransform({ server }: ImagesCall, name: string): boolean {
  return (
    server.store.flexibleVariants &&
    server.choices.flexibleEffect &&
    server.rules.isTransformation(name)
  )
}

/** The options in the name of a transformation, such as `w=20,h=10`. */
function optionsOf(name: string): VariantOptions {
  const given = new URLSearchParams(name.replaceAll(',', '&'))
  const bound = (...names: string[]) => {
    const text = names.map((one) => given.get(one)).find((value) => value !== null)
    if (text === undefined) return Number.MAX_SAFE_INTEGER
    if (!/^[1-9]\d{0,3}$/.test(text)) throw untransformable('A size must be from 1 to 9999')
    return Number(text)
  }
  const [width, height] = [bound('w', 'width'), bound('h', 'height')]
  const isBounded = Math.max(width, height) < Number.MAX_SAFE_INTEGER
  const fit = (isBounded ? given.get('fit') : null) ?? 'scale-down'
  return { fit, width, height, metadata: 'none' }
}

function untransformable(message: string): ImagesRefusal {
  return new ImagesRefusal('untransformable', 502, message)
}

function needsSignature(
  { server }: ImagesCall,
  image: Image,
  variant: Variant | undefined,
): boolean {
  const { rules, choices } = server
  return rules.isPrivate(image, choices.neverRequireSignedEffect ? variant : undefined)
}
