/** Values of a request that the response must contain, although no state is kept. */
export interface RequestedValues {
  id?: string | undefined
  requireSignedURLs?: boolean | undefined
  perPage?: number | undefined
  flexibleVariants?: boolean | undefined
}

interface Variant {
  id: string
}

interface Image {
  id: string
  uploadURL?: string
  requireSignedURLs?: boolean
  variants?: string[]
}

/**
 * Adapts an example to the request, because it would violate the contract otherwise. The id becomes
 * the requested or generated id. A page gets at most the requested size. The configuration becomes
 * the requested one.
 */
export function fitExample(body: unknown, requested: RequestedValues): unknown {
  const result = (body as { result?: unknown } | null)?.result
  if (typeof result !== 'object' || result === null) return body
  if ('images' in result && Array.isArray(result.images)) {
    return {
      ...(body as object),
      result: { ...result, images: result.images.slice(0, requested.perPage) },
    }
  }
  if ('flexible_variants' in result)
    return {
      ...(body as object),
      result: { flexible_variants: requested.flexibleVariants ?? result.flexible_variants },
    }
  if ('variant' in result)
    return {
      ...(body as object),
      result: {
        variant: {
          ...(result.variant as Variant),
          id: requested.id ?? (result.variant as Variant).id,
        },
      },
    }
  return 'id' in result && typeof result.id === 'string'
    ? { ...(body as object), result: fitImage(result as Image, requested) }
    : body
}

function fitImage(
  image: Image,
  { id = image.id, requireSignedURLs = image.requireSignedURLs }: RequestedValues,
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
