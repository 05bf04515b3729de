import { createHash } from 'node:crypto'
import type { ImagesFault } from './fault.ts'
import { countHit } from '../../../../mocks/kit/kit.ts'
import { fault, onForm, onResult, onStored, replaceRules } from './building.ts'

/** Gives uploads without an id one that is made from their form; an upload under an id in use replaces the image. */
const named = (idOf: (form: Record<string, string>) => string): ImagesFault['make'] => {
  const make = onForm((form, hit) => {
    if (form.fields['id'] !== undefined) return
    hit()
    form.fields['id'] = idOf(form.fields)
  }, 'uploadImage')
  return (hit) => ({ ...make(hit), choices: { duplicateIdStatus: 'replace' } })
}

/** Changes the members of an upload's metadata one by one. */
const members = (
  change: (name: string, value: unknown) => [string, unknown][],
): ImagesFault['make'] =>
  onStored((image, hit) => {
    const { metadata = {} } = image
    const changed = Object.fromEntries(
      Object.entries(metadata).flatMap(([name, value]) => change(name, value)),
    )
    if (JSON.stringify(changed) === JSON.stringify(metadata)) return
    hit()
    image.metadata = changed
  }, 'uploadImage')

export const image: readonly ImagesFault[] = [
  fault(
    'uploads-share-one-id',
    'Every image that is uploaded without an id gets the same one.',
    ['IMG-IMAGE-02'],
    named(() => 'image'),
  ),
  fault(
    'ids-are-made-from-the-form',
    'An id is computed from what the form says, so equal uploads get equal ids.',
    ['IMG-IMAGE-02'],
    named((fields) => createHash('sha256').update(JSON.stringify(fields)).digest('hex')),
  ),

  fault(
    'private-images-are-delivered',
    'Private images are delivered without a signature.',
    ['IMG-IMAGE-08'],
    replaceRules(
      (rules, hit) => ({ isPrivate: countHit(hit, rules.isPrivate, () => false) }),
      'deliverImage',
    ),
  ),
  fault(
    'private-only-at-the-first-variant',
    'Of a private image only the variant that came with the account needs a signature.',
    ['IMG-IMAGE-08'],
    replaceRules(
      (rules, hit) => ({
        isPrivate: countHit(
          hit,
          rules.isPrivate,
          (image, variant) => rules.isPrivate(image, variant) && variant?.id === 'public',
        ),
      }),
      'deliverImage',
    ),
  ),

  fault(
    'image-shows-only-the-first-variant',
    'Reading an image shows the delivery URL of the variant that came with the account and no other.',
    ['IMG-IMAGE-10'],
    onResult((result, hit) => {
      const variants = result['variants'] as string[]
      if (variants.length > 1) hit()
      return { ...result, variants: variants.slice(0, 1) }
    }, 'getImage'),
  ),
  fault(
    'image-shows-each-variant-twice',
    'Reading an image shows each delivery URL twice.',
    ['IMG-IMAGE-10'],
    onResult((result, hit) => {
      hit()
      const variants = result['variants'] as string[]
      return { ...result, variants: [...variants, ...variants] }
    }, 'getImage'),
  ),
  fault(
    'image-shows-names-of-variants',
    'Reading an image shows the names of its variants where their URLs should be.',
    ['IMG-IMAGE-10'],
    onResult((result, hit) => {
      hit()
      return {
        ...result,
        variants: (result['variants'] as string[]).map((url) =>
          url.slice(url.lastIndexOf('/') + 1),
        ),
      }
    }, 'getImage'),
  ),

  fault(
    'metadata-of-uploads-is-lost',
    'The metadata of an upload is forgotten.',
    ['IMG-IMAGE-13', 'IMG-UPLOAD-11'],
    onStored((image, hit) => {
      if (image.metadata === undefined) return
      hit()
      image.metadata = undefined
    }, 'uploadImage'),
  ),
  fault(
    'metadata-turns-numbers-into-texts',
    "Numbers in an upload's metadata come back as texts.",
    ['IMG-IMAGE-13'],
    members((name, value) => [[name, typeof value === 'number' ? String(value) : value]]),
  ),
  fault(
    'metadata-drops-false',
    "Members of an upload's metadata that are false are dropped.",
    ['IMG-IMAGE-13'],
    members((name, value) => (value === false ? [] : [[name, value]])),
  ),
  fault(
    'metadata-flattens-lists',
    "Lists in an upload's metadata come back as one text.",
    ['IMG-IMAGE-13'],
    members((name, value) => [[name, Array.isArray(value) ? value.join(',') : value]]),
  ),
]
