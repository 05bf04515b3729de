/** What of a request its answer has to show, although nothing is remembered. */
export interface Wishes {
  id?: string | undefined
  requireSignedURLs?: boolean | undefined
  perPage?: number | undefined
}

interface Image {
  id: string
  uploadURL?: string
  requireSignedURLs?: boolean
  variants?: string[]
}

/**
 * Fits an example to the request that it answers. An id that was chosen, asked for or made up is the id of what comes back, and a page
 * holds no more than was asked for: an example that says otherwise would break its own contract.
 */
export function fitted(body: unknown, wishes: Wishes): unknown {
  const result = (body as { result?: unknown } | null)?.result
  if (typeof result !== 'object' || result === null) return body
  if ('images' in result && Array.isArray(result.images)) {
    return {
      ...(body as object),
      result: { ...result, images: result.images.slice(0, wishes.perPage) },
    }
  }
  return 'id' in result && typeof result.id === 'string'
    ? { ...(body as object), result: fittedImage(result as Image, wishes) }
    : body
}

function fittedImage(
  image: Image,
  { id = image.id, requireSignedURLs = image.requireSignedURLs }: Wishes,
): Image {
  const variants = image.variants?.map((url) =>
    url.replace(`/${image.id}/`, `/${encodeURIComponent(id)}/`),
  )
  return {
    ...image,
    id,
    ...(image.requireSignedURLs === undefined || requireSignedURLs === undefined
      ? {}
      : { requireSignedURLs }),
    ...(variants === undefined ? {} : { variants }),
  }
}
