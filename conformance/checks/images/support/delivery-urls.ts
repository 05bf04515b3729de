import { Blocked } from '../../../engine/index.ts'
import { jsonAt, delivered, notDelivered } from './expectations.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { ImagesWorld } from './world.ts'

/** The delivery URLs of an image. Blocks the check if there is no array of them. */
export const requireDeliveryUrls = (exchange: HttpExchange): string[] => {
  const variants = jsonAt(exchange, 'result', 'variants')
  if (!Array.isArray(variants))
    throw new Blocked('IMG-IMAGE-09', 'the image has no array of variants')
  return variants.filter(
    (url): url is string => typeof url === 'string' && /^https?:\/\/[^/]/i.test(url),
  )
}

/**
 * Decodes percent-encoding; returns the part unchanged if it is malformed.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-2.1
 */
export function percentDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The delivery URLs of an image; none if it has no array of them. */
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
async function readDeliveryUrl(
  { readUntil, request }: ImagesWorld,
  id: string,
  variant: string,
): Promise<string> {
  const find = (exchange: HttpExchange) =>
    deliveryUrlsOf(exchange).find((url) => lastSegment(url) === variant)
  const url = find(await readUntil(request.get(id), (exchange) => find(exchange) !== undefined))
  if (url === undefined)
    throw new Blocked('IMG-IMAGE-10', `the image has no delivery URL for the variant ${variant}`)
  return url
}

/** Uploads an image and returns its delivery URL for a variant. */
export async function deliveryUrlOfUpload(
  world: ImagesWorld,
  variant: string,
  requireSignedURLs: boolean,
): Promise<string> {
  const { id } = await world.storeImage(
    { requireSignedURLs: String(requireSignedURLs) },
    'IMG-UPLOAD-06',
  )
  return readDeliveryUrl(world, id, variant)
}

/** The same with a direct upload. */
export async function deliveryUrlOfDirectUpload(
  world: ImagesWorld,
  variant: string,
  requireSignedURLs: boolean,
): Promise<string> {
  const { id, uploadURL } = await world.createTicket({ requireSignedURLs }, 'IMG-TICKET-05')
  await world.sendOrBlock(world.request.complete(uploadURL))
  return readDeliveryUrl(world, id, variant)
}

/** Expects that a private image is not delivered without a signature, while a public one is. */
export async function expectOnlyPublicDelivered(
  world: ImagesWorld,
  publicUrl: string,
  privateUrl: string,
): Promise<void> {
  const contrast = await world.fetchDelivered(withoutQuery(publicUrl), delivered.test)
  if (!delivered.test(contrast))
    throw new Blocked('IMG-SERVICE-01', `a public image returned ${contrast.summary}`)
  world.expect(await world.fetchDelivered(withoutQuery(privateUrl)), notDelivered(contrast.body))
}

/** Creates a variant, and reads an image until it has delivery URLs. */
export async function readWithDeliveryUrls(
  { sharedVariant, readUntil, request }: ImagesWorld,
  id: string,
): Promise<HttpExchange> {
  await sharedVariant()
  const read = await readUntil(request.get(id), (exchange) => deliveryUrlsOf(exchange).length > 0)
  const variants = jsonAt(read, 'result', 'variants')
  if (!Array.isArray(variants) || variants.length === 0)
    throw new Blocked('IMG-IMAGE-10', 'the image has no delivery URLs')
  return read
}

/** Parses a delivery URL `<root>/<hash>/<id>/<variant>`; undefined if it has another form. */
export function parseDeliveryUrl(
  url: string,
  root: string,
): { hash: string; id: string; variant: string } | undefined {
  const below = withoutQuery(url).slice(root.length)
  const [, hash, id, variant] = /^\/([^/]+)\/(.+)\/([^/]+)$/.exec(below) ?? []
  return url.startsWith(root) && hash !== undefined && id !== undefined && variant !== undefined
    ? { hash, id, variant }
    : undefined
}
