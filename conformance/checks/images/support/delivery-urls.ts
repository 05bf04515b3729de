import { Blocked } from '../../../engine/index.ts'
import { jsonAt } from './expectations.ts'
import { percentDecode, type HttpExchange } from '../../../wire/index.ts'
import type { ImagesWorld } from './world.ts'

/** The delivery URLs of an image. Blocks the check if the image has no array `variants`. */
export const requireDeliveryUrls = (exchange: HttpExchange): string[] => {
  const variants = jsonAt(exchange, 'result', 'variants')
  if (!Array.isArray(variants))
    throw new Blocked('IMG-IMAGE-09', 'the image has no array of variants', 'an array in variants')
  return variants.filter(
    (url): url is string => typeof url === 'string' && /^https?:\/\/[^/]/i.test(url),
  )
}

/** The delivery URLs of an image; none if the image has no array `variants`. */
export const deliveryUrlsOf = (exchange: HttpExchange) =>
  Array.isArray(jsonAt(exchange, 'result', 'variants')) ? requireDeliveryUrls(exchange) : []

export const lastSegment = (url: string) =>
  percentDecode(
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '',
  )

export const withoutQuery = (url: string) => url.replace(/[?#].*$/, '')

/** Reads an image until it has a delivery URL for a variant, and returns that URL. */
export async function readDeliveryUrl(
  { readUntil, request }: ImagesWorld,
  id: string,
  variant: string,
): Promise<string> {
  const find = (exchange: HttpExchange) =>
    deliveryUrlsOf(exchange).find((url) => lastSegment(url) === variant)
  const url = find(await readUntil(request.get(id), (exchange) => find(exchange) !== undefined))
  if (url === undefined)
    throw new Blocked(
      'IMG-IMAGE-10',
      `the image has no delivery URL for the variant ${variant}`,
      `a delivery URL for the variant ${variant}`,
    )
  return url
}

/** Ensures that the account has a variant, and reads an image until it has delivery URLs. */
export async function readWithDeliveryUrls(
  { sharedVariant, readUntil, request }: ImagesWorld,
  id: string,
): Promise<HttpExchange> {
  await sharedVariant()
  const read = await readUntil(request.get(id), (exchange) => deliveryUrlsOf(exchange).length > 0)
  const variants = jsonAt(read, 'result', 'variants')
  if (!Array.isArray(variants) || variants.length === 0)
    throw new Blocked(
      'IMG-IMAGE-10',
      'the image has no delivery URLs',
      'delivery URLs of the image',
    )
  return read
}

/** The delivery root of the target file, without a slash at its end. */
export const deliveryRootOf = ({ target }: Pick<ImagesWorld, 'target'>): string =>
  (target.delivery ?? '').replace(/\/$/, '')

/** The entries of `variants` that are not delivery URLs of the image with this id. */
export const listForeignUrls = (variants: unknown, id: string, root: string): string[] =>
  (Array.isArray(variants) ? variants : []).map(String).filter((url) => {
    const part = parseDeliveryUrl(url, root)?.id
    return part === undefined || (part !== id && percentDecode(part) !== id)
  })

interface UrlParts {
  readonly hash: string
  readonly id: string
  readonly variant: string
}

/** Parses a delivery URL `<root>/<hash>/<id>/<variant>`; undefined if it has another form. */
export function parseDeliveryUrl(url: string, root: string): UrlParts | undefined {
  const pathBelowRoot = withoutQuery(url).slice(root.length)
  const [, hash, id, variant] = /^\/([^/]+)\/(.+)\/([^/]+)$/.exec(pathBelowRoot) ?? []
  return url.startsWith(root) && hash !== undefined && id !== undefined && variant !== undefined
    ? { hash, id, variant }
    : undefined
}

/**
 * The parts of a delivery URL, and a function that returns the URL with some of them replaced.
 * Blocks the check if the URL does not have the documented form.
 */
export function requireUrlParts(
  world: ImagesWorld,
  url: string,
): UrlParts & { withParts(changed: Partial<UrlParts>): string } {
  const root = deliveryRootOf(world)
  const parts = parseDeliveryUrl(url, root)
  if (parts === undefined)
    throw new Blocked('IMG-ADDRESS-02', `${url} is not <delivery root>/<hash>/<id>/<variant>`)
  const withParts = (changed: Partial<UrlParts>) => {
    const { hash, id, variant } = { ...parts, ...changed }
    return [root, hash, id, variant].join('/')
  }
  return { ...parts, withParts }
}
