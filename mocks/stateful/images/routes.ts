import type { Host, Operation } from './call.ts'

export interface Route { operation: Operation; params: Record<string, string>; account: string | undefined }

/** Finds the operation for a path as received; undefined where there is none, also for a path that cannot be decoded. */
export function findRoute(host: Host, method: string, path: string, basePath: string): Route | undefined {
  try {
    if (host === 'account') return accountRoute(method, path, basePath)
    if (host === 'batch') return batchRoute(method, path)
    if (host === 'upload') return uploadRoute(method, path)
    return deliveryRoute(method, path)
  } catch {
    return undefined
  }
}

function accountRoute(method: string, path: string, basePath: string): Route | undefined {
  const start = `${basePath}/accounts/`
  if (!path.startsWith(start)) return undefined
  const end = path.indexOf('/', start.length)
  if (end <= start.length) return undefined
  const account = decoded(path.slice(start.length, end))
  const rest = path.slice(end)
  if (rest === '/images/v1') return method === 'POST' ? route('uploadImage', account) : undefined
  if (rest === '/images/v2') return method === 'GET' ? route('listImages', account) : undefined
  if (rest === '/images/v2/direct_upload') return method === 'POST' ? route('createDirectUpload', account) : undefined
  if (!rest.startsWith('/images/v1/')) return undefined
  const name = rest.slice('/images/v1/'.length)
  if (name === 'variants') return method === 'POST' ? route('createVariant', account) : method === 'GET' ? route('listVariants', account) : undefined
  if (name.startsWith('variants/')) return variantRoute(method, name.slice('variants/'.length), account)
  if (name === 'config' && method === 'PATCH') return route('updateConfig', account)
  if (name === '') return undefined
  // An id may hold slashes, and not every client encodes them.
  if (method === 'GET') return route('getImage', account, { image_id: decoded(name) })
  return method === 'DELETE' ? route('deleteImage', account, { image_id: decoded(name) }) : undefined
}

function variantRoute(method: string, name: string, account: string): Route | undefined {
  if (name === '' || name.includes('/')) return undefined
  const params = { variant_id: decoded(name) }
  if (method === 'GET') return route('getVariant', account, params)
  if (method === 'PATCH') return route('updateVariant', account, params)
  return method === 'DELETE' ? route('deleteVariant', account, params) : undefined
}

function batchRoute(method: string, path: string): Route | undefined {
  if (path === '/images/v1') return method === 'POST' ? route('batchUploadImage') : undefined
  if (path === '/images/v2') return method === 'GET' ? route('batchListImages') : undefined
  const id = path.startsWith('/images/v1/') ? path.slice('/images/v1/'.length) : ''
  return id !== '' && method === 'DELETE' ? route('batchDeleteImage', undefined, { image_id: decoded(id) }) : undefined
}

function uploadRoute(method: string, path: string): Route | undefined {
  const token = path.slice(1)
  return method === 'POST' && token !== '' && !token.includes('/') ? route('completeDirectUpload', undefined, { token }) : undefined
}

function deliveryRoute(method: string, path: string): Route | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const first = path.indexOf('/', 1)
  const last = path.lastIndexOf('/')
  if (first <= 1 || last <= first + 1 || last === path.length - 1) return undefined
  const params = { hash: decoded(path.slice(1, first)), image_id: decoded(path.slice(first + 1, last)), variant: decoded(path.slice(last + 1)) }
  return route('deliverImage', undefined, params)
}

function route(operation: Operation, account?: string, params: Record<string, string> = {}): Route {
  return { operation, params, account }
}

function decoded(text: string): string { return text.includes('%') ? decodeURIComponent(text) : text }
