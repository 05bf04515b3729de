import type { ImagesCall, ImagesReply } from './call.ts'
import type { Image, Variant } from './store.ts'
import { isSigned } from './tokens.ts'
import { ImagesRefusal } from './refusal.ts'

/**
 * Delivers the stored bytes. This mock does not resize images: every variant returns the original.
 */
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
  return {
    status: 200,
    headers: { 'Content-Type': image.type, 'Cache-Control': 'no-store' },
    body: image.bytes,
  }
}

function mayTransform({ server }: ImagesCall, name: string): boolean {
  return (
    server.store.flexibleVariants &&
    server.choices.flexibleEffect &&
    server.rules.isTransformation(name)
  )
}

function needsSignature(
  { server }: ImagesCall,
  image: Image,
  variant: Variant | undefined,
): boolean {
  const { rules, choices } = server
  return rules.isPrivate(image, choices.neverRequireSignedEffect ? variant : undefined)
}
