/** Values of a request that the response must contain, although no state is kept. */
export interface RequestedValues {
  id?: string | undefined
  filename?: string | undefined
  requireSignedURLs?: boolean | undefined
  draft?: boolean | undefined
  perPage?: number | undefined
  flexibleVariants?: boolean | undefined
  /** The members of a variant that the request sets. */
  variant?: RequestedVariant | undefined
}

/** A part of a variant. Options that it lacks stay as they are. */
export interface RequestedVariant {
  options: Record<string, unknown>
  neverRequireSignedURLs?: boolean
}

interface Variant {
  id: string
  options: Record<string, unknown>
}

interface Image {
  id: string
  filename?: string
  uploadURL?: string
  requireSignedURLs?: boolean
  variants?: string[]
}

/**
 * Adapts an example to the request, because it would violate the contract otherwise, or a client
 * would read other values than it sent. The id becomes the requested or generated id. An image gets
 * the name of the sent file, and a variant the sent options. A page gets at most the requested
 * size. The configuration becomes the requested one.
 */
export function fitExample(body: unknown, requested: RequestedValues): unknown {
  const result = (body as { result?: unknown } | null)?.result
  if (typeof result !== 'object' || result === null) return body
  const fit = fitResult(result as Record<string, unknown>, requested)
  return fit === undefined ? body : { ...(body as object), result: fit }
}

function fitResult(result: Record<string, unknown>, requested: RequestedValues): unknown {
  if (Array.isArray(result['images']))
    return { ...result, images: result['images'].slice(0, requested.perPage) }
  if ('flexible_variants' in result)
    return { flexible_variants: requested.flexibleVariants ?? result['flexible_variants'] }
  if ('variant' in result) return { variant: fitVariant(result['variant'] as Variant, requested) }
  return typeof result['id'] === 'string'
    ? fitImage(result as unknown as Image, requested)
    : undefined
}

function fitVariant(example: Variant, { id, variant }: RequestedValues): Variant {
  return {
    ...example,
    ...variant,
    id: id ?? example.id,
    options: { ...example.options, ...variant?.options },
  }
}

function fitImage(
  image: Image,
  {
    id = image.id,
    draft,
    filename = image.filename,
    requireSignedURLs = image.requireSignedURLs,
  }: RequestedValues,
): Image {
  const variants = image.variants?.map((url) =>
    url.replace(`/${image.id}/`, `/${encodeURIComponent(id)}/`),
  )
  return {
    ...image,
    id,
    ...(image.filename === undefined || filename === undefined ? {} : { filename }),
    ...(image.requireSignedURLs === undefined || requireSignedURLs === undefined
      ? {}
      : { requireSignedURLs }),
    ...(variants === undefined ? {} : { variants }),
    ...(draft === undefined ? {} : { draft }),
  }
}
