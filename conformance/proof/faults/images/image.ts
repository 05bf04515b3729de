import { createHash } from 'node:crypto'
import type { ImagesFault } from './fault.ts'
import type { ImagesOperation } from '../../../../mocks/stateful/images.ts'
import { countHit, replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import {
  changeJson,
  fault,
  onForm,
  onRequest,
  onResult,
  onStored,
  replaceRules,
} from './building.ts'

/**
 * If an upload contains no id, computes the id from the form. If the id is in use, the upload
 * replaces the image with this id.
 */
const computeId = (
  idOf: (form: Record<string, string>) => string,
  where: ImagesOperation = 'uploadImage',
  isAffected: (form: Record<string, string>) => boolean = () => true,
): ImagesFault['make'] => {
  const make = onForm(({ fields }, hit) => {
    if (fields['id'] !== undefined || !isAffected(fields)) return
    hit()
    fields['id'] = idOf(fields)
  }, where)
  return (hit) => ({ ...make(hit), choices: { duplicateIdStatus: 'replace' } })
}

/** Changes each member of the metadata of an upload. */
const changeMetadata = (
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
    'Uses the same id for every image that is uploaded without one.',
    ['IMG-IMAGE-02'],
    computeId(() => 'image'),
  ),
  fault(
    'ids-are-made-from-the-form',
    'Computes ids from the form, so that equal uploads get equal ids.',
    ['IMG-IMAGE-02'],
    computeId((fields) => createHash('sha256').update(JSON.stringify(fields)).digest('hex')),
  ),

  fault(
    'uploads-by-url-share-one-id',
    'Uses the same id for every image that is uploaded by URL without an id.',
    ['IMG-IMAGE-02'],
    computeId(
      () => 'fetched',
      'uploadImage',
      ({ url }) => url !== undefined,
    ),
  ),
  fault(
    'batch-uploads-share-one-id',
    'Uses the same id for every file that is uploaded to the batch host without an id.',
    ['IMG-IMAGE-02'],
    computeId(
      () => 'batch',
      'batchUploadImage',
      ({ url }) => url === undefined,
    ),
  ),
  fault(
    'batch-uploads-by-url-share-one-id',
    'Uses the same id for every image that is uploaded by URL to the batch host without an id.',
    ['IMG-IMAGE-02'],
    computeId(
      () => 'batch-fetched',
      'batchUploadImage',
      ({ url }) => url !== undefined,
    ),
  ),
  fault(
    'tickets-share-one-id',
    'Returns the same id for every ticket that is requested without an id.',
    ['IMG-IMAGE-02'],
    (hit) => ({
      choices: { duplicateIdStatus: 'replace' },
      ...onRequest((call, next) => {
        changeJson(call, (body) => {
          if (body['id'] !== undefined) return body
          hit()
          replaceRulesOf(call, { customIdMayBePrivate: true })
          return { ...body, id: 'ticket' }
        })
        return next()
      }, 'createDirectUpload')(hit),
    }),
  ),

  fault(
    'private-images-are-delivered',
    'Delivers private images without a signature.',
    ['IMG-IMAGE-08'],
    replaceRules(
      (rules, hit) => ({ isPrivate: countHit(hit, rules.isPrivate, () => false) }),
      'deliverImage',
    ),
  ),
  fault(
    'private-only-at-the-first-variant',
    "Requires a signature for a private image only in the account's first variant.",
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
    "Returns only the delivery URL of the account's first variant when an image is read.",
    ['IMG-IMAGE-10'],
    onResult((result, hit) => {
      const variants = result['variants'] as string[]
      if (variants.length > 1) hit()
      return { ...result, variants: variants.slice(0, 1) }
    }, 'getImage'),
  ),
  fault(
    'image-shows-each-variant-twice',
    'Returns each delivery URL twice when an image is read.',
    ['IMG-IMAGE-10'],
    onResult((result, hit) => {
      hit()
      const variants = result['variants'] as string[]
      return { ...result, variants: [...variants, ...variants] }
    }, 'getImage'),
  ),
  fault(
    'image-shows-names-of-variants',
    'Returns the names of variants instead of delivery URLs when an image is read.',
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
    'Does not store the metadata of an upload.',
    ['IMG-IMAGE-13', 'IMG-UPLOAD-11'],
    onStored((image, hit) => {
      if (image.metadata === undefined) return
      hit()
      image.metadata = undefined
    }, 'uploadImage'),
  ),
  fault(
    'metadata-turns-numbers-into-strings',
    'Stores numbers in the metadata of an upload as strings.',
    ['IMG-IMAGE-13'],
    changeMetadata((name, value) => [[name, typeof value === 'number' ? String(value) : value]]),
  ),
  fault(
    'metadata-drops-false',
    'Drops members with the value false from the metadata of an upload.',
    ['IMG-IMAGE-13'],
    changeMetadata((name, value) => (value === false ? [] : [[name, value]])),
  ),
  fault(
    'metadata-flattens-lists',
    'Stores lists in the metadata of an upload as one string.',
    ['IMG-IMAGE-13'],
    changeMetadata((name, value) => [[name, Array.isArray(value) ? value.join(',') : value]]),
  ),
]
