import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  recordOf,
  success,
  type ImagesCall,
  type ImagesContext,
  type ImagesOperation,
  type ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest, resultOf, withResult, type Json } from './building.ts'
import { deliverFirst } from './delivery-kit.ts'

// Servers that mix up accounts. `server.other` is the other account.

const imageId = ({ params }: ImagesCall) => params['image_id'] ?? ''
const variantId = ({ params }: ImagesCall) => params['variant_id'] ?? ''

/** Whether the call addresses an image that only the other account has. */
const isOthersImage = ({ server, ...call }: ImagesCall) =>
  server.store.get(imageId({ server, ...call })) === undefined &&
  server.other.store.get(imageId({ server, ...call })) !== undefined
const isOthersVariant = ({ server, ...call }: ImagesCall) =>
  !server.store.variants.has(variantId({ server, ...call })) &&
  server.other.store.variants.has(variantId({ server, ...call }))

/**
 * Handles a call in the other account if only that account has the image or variant that the call
 * addresses.
 */
const useOtherAccount = (
  name: string,
  description: string,
  requirement: RequirementId,
  operation: ImagesOperation,
  isOthers: (call: ImagesCall) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    [requirement],
    onRequest((call, next, hit) => {
      if (isOthers(call)) {
        hit()
        const { other } = call.server
        call.server = { ...call.server, store: other.store }
      }
      return next()
    }, operation),
  )

/**
 * Applies a successful call also to the other account. `act` returns true if it changed that
 * account.
 */
const applyToOther = (
  name: string,
  description: string,
  requirement: RequirementId,
  operation: ImagesOperation,
  act: (other: ImagesContext, call: ImagesCall, reply: ImagesReply) => unknown,
): ImagesFault =>
  fault(
    name,
    description,
    [requirement],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== 200) return reply
      if ((await act(call.server.other, call, reply)) === true) hit()
      return reply
    }, operation),
  )

/** Adds the images of the other account to a list. */
const listAll = (name: string, description: string, operation: ImagesOperation): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-SERVICE-03'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const { other } = call.server
      if (reply.status !== 200 || other.store.listed.length === 0) return reply
      hit()
      const others = other.store.listed.map((image) => recordOf(other, image, 'result'))
      const own = (resultOf(reply)['images'] ?? []) as unknown[]
      return success(call, { ...resultOf(reply), images: [...own, ...others] })
    }, operation),
  )

/**
 * Replaces the image of the other account that has the same id as an uploaded image. Returns
 * whether there is such an image.
 */
function replaceInOther(other: ImagesContext, call: ImagesCall, reply: ImagesReply): boolean {
  const id = String(resultOf(reply)['id'])
  const [own, old] = [call.server.store.get(id), other.store.get(id)]
  if (own === undefined || old === undefined) return false
  other.store.add({ ...own })
  return true
}

/** If the path names an unknown account, uses an account that exists. */
const ignorePath = (operation: ImagesOperation): ImagesFault =>
  fault(
    `${operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-ignores-the-account`,
    `Carries out ${operation} in an existing account if the path names an unknown account.`,
    ['IMG-ADDRESS-04'],
    onRequest((call, next, hit) => {
      const { account, otherAccount } = call.server.options
      if (call.account !== account && call.account !== otherAccount) {
        hit()
        call.account = account
      }
      return next()
    }, operation),
  )

const operationsOnAccount: readonly ImagesOperation[] = [
  'uploadImage',
  'createDirectUpload',
  'listImages',
  'getImage',
  'deleteImage',
  'createVariant',
  'listVariants',
  'getVariant',
  'updateVariant',
  'deleteVariant',
]

export const accounts: readonly ImagesFault[] = [
  fault(
    'variants-of-other-accounts-deliver',
    'Delivers images in variants that only the other account has.',
    ['IMG-DELIVERY-05'],
    onRequest((call, next, hit) => {
      const { store, other } = call.server
      const variant = call.params['variant'] ?? ''
      if (store.variants.has(variant) || !other.store.variants.has(variant)) return next()
      hit()
      call.params = { ...call.params, variant: [...store.variants.keys()][0]! }
      return next()
    }, 'deliverImage'),
  ),
  fault(
    'renditions-are-shared-by-accounts',
    'Delivers an image that another account stored under the same id, if it was delivered before.',
    ['IMG-SERVICE-03'],
    deliverFirst(({ params }) => `${params['image_id']} ${params['variant']}`),
  ),
  useOtherAccount(
    'images-of-all-accounts-are-read',
    'Reads an image of another account by its id.',
    'IMG-SERVICE-03',
    'getImage',
    isOthersImage,
  ),
  useOtherAccount(
    'images-of-all-accounts-are-deleted',
    'Deletes an image of another account by its id.',
    'IMG-SERVICE-03',
    'deleteImage',
    isOthersImage,
  ),
  useOtherAccount(
    'images-of-all-accounts-are-deleted-on-the-batch-host',
    'Deletes an image of another account by its id on the batch host.',
    'IMG-SERVICE-03',
    'batchDeleteImage',
    isOthersImage,
  ),
  listAll('images-of-all-accounts-are-listed', 'Lists the images of all accounts.', 'listImages'),
  listAll(
    'images-of-all-accounts-are-listed-on-the-batch-host',
    'Lists the images of all accounts on the batch host.',
    'batchListImages',
  ),
  applyToOther(
    'upload-replaces-the-same-id-in-all-accounts',
    'Replaces an image of another account that has the same id.',
    'IMG-SERVICE-03',
    'uploadImage',
    replaceInOther,
  ),
  applyToOther(
    'deletion-concerns-the-same-id-in-all-accounts',
    'Deletes an image in all accounts that have one with this id.',
    'IMG-SERVICE-03',
    'deleteImage',
    (other, call) => other.store.remove(imageId(call)),
  ),
  ...(
    [
      ['filename', 'file-name'],
      ['bytes', 'file'],
    ] as const
  ).map(([field, name]) =>
    applyToOther(
      `upload-replaces-the-${name}-of-the-same-id-in-all-accounts`,
      `Replaces the ${field} of the images with this id in all accounts.`,
      'IMG-SERVICE-03',
      'uploadImage',
      (other, { server }, reply) => {
        const id = String(resultOf(reply)['id'])
        const [own, old] = [server.store.get(id), other.store.get(id)]
        if (own === undefined || old === undefined) return false
        Object.assign(old, { [field]: own[field] })
        return true
      },
    ),
  ),
  useOtherAccount(
    'images-of-all-accounts-are-delivered-below-one-hash',
    'Delivers the images of both accounts below the hash of each account.',
    'IMG-DELIVERY-06',
    'deliverImage',
    isOthersImage,
  ),
  applyToOther(
    'direct-upload-is-stored-in-all-accounts',
    'Stores a direct upload in the other account, too.',
    'IMG-SERVICE-03',
    'completeDirectUpload',
    (other, { server, params }) => {
      const ticket = server.store.tickets.get(params['token'] ?? '')
      const image = server.store.get(ticket?.id ?? '')
      if (image === undefined || other.store.get(image.id) !== undefined) return false
      other.store.add({ ...image, draft: false })
      return true
    },
  ),
  fault(
    'direct-upload-is-lost-between-accounts',
    'Stores the direct uploads of a second account in the first one only.',
    ['IMG-SERVICE-03'],
    onRequest(async (call, next, hit) => {
      const { store, other } = call.server
      const reply = await next()
      const ticket = store.tickets.get(call.params['token'] ?? '')
      const image = store.get(ticket?.id ?? '')
      if (call.server.options.account === 'acc-1' || image === undefined || reply.status !== 200)
        return reply
      hit()
      store.remove(image.id)
      other.store.add({ ...image, draft: false })
      return reply
    }, 'completeDirectUpload'),
  ),
  useOtherAccount(
    'variants-of-all-accounts-are-read',
    'Reads a variant of another account by its name.',
    'IMG-SERVICE-04',
    'getVariant',
    isOthersVariant,
  ),
  useOtherAccount(
    'variants-of-all-accounts-are-changed',
    'Changes a variant of another account by its name.',
    'IMG-SERVICE-04',
    'updateVariant',
    isOthersVariant,
  ),
  useOtherAccount(
    'variants-of-all-accounts-are-deleted',
    'Deletes a variant of another account by its name.',
    'IMG-SERVICE-04',
    'deleteVariant',
    isOthersVariant,
  ),
  fault(
    'variants-of-all-accounts-are-listed',
    'Lists the variants of all accounts.',
    ['IMG-SERVICE-04'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const others = call.server.other.store.variants
      if (reply.status !== 200 || others.size < 2) return reply
      hit()
      const own = resultOf(reply)['variants'] as Json
      return withResult(reply, { variants: { ...Object.fromEntries(others), ...own } })
    }, 'listVariants'),
  ),
  ...(
    [
      ['createVariant', 'new-variant-replaces-the-same-name-in-all-accounts'],
      ['updateVariant', 'change-concerns-the-same-name-in-all-accounts'],
    ] as const
  ).map(([operation, name]) =>
    applyToOther(
      name,
      'Writes a variant in all accounts that have one of this name.',
      'IMG-SERVICE-04',
      operation,
      async (other, call) => {
        const body = (await call.json()) as { id?: unknown }
        const id = operation === 'createVariant' ? String(body.id) : variantId(call)
        const own = call.server.store.variants.get(id)
        if (own === undefined || !other.store.variants.has(id)) return false
        other.store.putVariant({ ...own })
        return true
      },
    ),
  ),
  applyToOther(
    'deletion-concerns-the-same-name-in-all-accounts',
    'Deletes a variant in all accounts that have one of this name.',
    'IMG-SERVICE-04',
    'deleteVariant',
    (other, call) => other.store.removeVariant(variantId(call)),
  ),
  ...operationsOnAccount.map(ignorePath),
]
