import type { Host, Operation } from './call.ts'

/** Where an operation lives: its method and its path, as the router writes paths. */
export interface Route { operation: Operation; method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string }

const account = '/accounts/:account'
// An id may hold slashes, and not every client encodes them. What is below `variants` is never a picture.
const image = ':image_id{(?!variants(?:/|$)).+}'

/** The operations of each host. The account host's paths are below the base path. */
export const routes: Record<Host, readonly Route[]> = {
  account: [
    { operation: 'listImages', method: 'GET', path: `${account}/images/v2` },
    { operation: 'getImage', method: 'GET', path: `${account}/images/v1/${image}` },
    { operation: 'uploadImage', method: 'POST', path: `${account}/images/v1` },
    { operation: 'deleteImage', method: 'DELETE', path: `${account}/images/v1/${image}` },
    { operation: 'createDirectUpload', method: 'POST', path: `${account}/images/v2/direct_upload` },
    { operation: 'createVariant', method: 'POST', path: `${account}/images/v1/variants` },
    { operation: 'listVariants', method: 'GET', path: `${account}/images/v1/variants` },
    { operation: 'getVariant', method: 'GET', path: `${account}/images/v1/variants/:variant_id` },
    { operation: 'updateVariant', method: 'PATCH', path: `${account}/images/v1/variants/:variant_id` },
    { operation: 'deleteVariant', method: 'DELETE', path: `${account}/images/v1/variants/:variant_id` },
    { operation: 'updateConfig', method: 'PATCH', path: `${account}/images/v1/config` },
  ],
  batch: [
    { operation: 'batchUploadImage', method: 'POST', path: '/images/v1' },
    { operation: 'batchListImages', method: 'GET', path: '/images/v2' },
    { operation: 'batchDeleteImage', method: 'DELETE', path: '/images/v1/:image_id{.+}' },
  ],
  upload: [{ operation: 'completeDirectUpload', method: 'POST', path: '/:token' }],
  delivery: [{ operation: 'deliverImage', method: 'GET', path: '/:hash/:image_id{.+}/:variant' }],
}

/**
 * Whether a request means the route that the router found for it. The router is more generous than this service: it takes
 * HEAD for GET and passes over a slash at the end, and it leaves escapes that decode to nothing as they are.
 */
export function isMeant(route: Route, method: string, path: string): boolean {
  if (method !== route.method && route.operation !== 'deliverImage') return false
  // Only an id, where it comes last, may end so.
  if (path.endsWith('/') && !route.path.endsWith('.+}')) return false
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
