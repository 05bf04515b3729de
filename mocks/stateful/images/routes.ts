import type { Route } from '../http/server.ts'

export type ImagesHost = 'account' | 'batch' | 'upload' | 'delivery'

export type ImagesOperation =
  | 'uploadImage'
  | 'createDirectUpload'
  | 'listImages'
  | 'getImage'
  | 'deleteImage'
  | 'createVariant'
  | 'listVariants'
  | 'getVariant'
  | 'updateVariant'
  | 'deleteVariant'
  | 'updateConfig'
  | 'batchUploadImage'
  | 'batchListImages'
  | 'batchDeleteImage'
  | 'completeDirectUpload'
  | 'deliverImage'

/** The route of an operation. */
interface ImagesRoute extends Omit<Route, 'handle'> {
  operation: ImagesOperation
}

const account = '/accounts/:account'
// An id may contain slashes, and not every client encodes them. Paths below `variants` are not
// images.
const image = ':image_id{(?!variants(?:/|$)).+}'

/** The operations of each host. The account host's paths are below the base path. */
export const routes: Record<ImagesHost, readonly ImagesRoute[]> = {
  account: [
    { operation: 'listImages', method: 'GET', path: `${account}/images/v2` },
    { operation: 'getImage', method: 'GET', path: `${account}/images/v1/${image}` },
    { operation: 'uploadImage', method: 'POST', path: `${account}/images/v1` },
    { operation: 'deleteImage', method: 'DELETE', path: `${account}/images/v1/${image}` },
    { operation: 'createDirectUpload', method: 'POST', path: `${account}/images/v2/direct_upload` },
    { operation: 'createVariant', method: 'POST', path: `${account}/images/v1/variants` },
    { operation: 'listVariants', method: 'GET', path: `${account}/images/v1/variants` },
    { operation: 'getVariant', method: 'GET', path: `${account}/images/v1/variants/:variant_id` },
    {
      operation: 'updateVariant',
      method: 'PATCH',
      path: `${account}/images/v1/variants/:variant_id`,
    },
    {
      operation: 'deleteVariant',
      method: 'DELETE',
      path: `${account}/images/v1/variants/:variant_id`,
    },
    { operation: 'updateConfig', method: 'PATCH', path: `${account}/images/v1/config` },
  ],
  batch: [
    { operation: 'batchUploadImage', method: 'POST', path: '/images/v1' },
    { operation: 'batchListImages', method: 'GET', path: '/images/v2' },
    { operation: 'batchDeleteImage', method: 'DELETE', path: '/images/v1/:image_id{.+}' },
  ],
  upload: [{ operation: 'completeDirectUpload', method: 'POST', path: '/:token' }],
  delivery: [
    { operation: 'deliverImage', method: 'GET', path: '/:hash/:image_id{.+}/:variant', head: true },
  ],
}
