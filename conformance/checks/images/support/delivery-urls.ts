import { Blocked } from '../../../engine/index.ts'
import { jsonAt, delivered, notDelivered } from './expectations.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { ImagesWorld } from './world.ts'

export const requireDeliveryUrls = (exchange: HttpExchange): string[] => {
  const variants = jsonAt(exchange, 'result', 'variants')
  if (!Array.isArray(variants)) throw new Blocked('IMG-IMAGE-09', 'the image shows no variants')
  return variants.filter(
    (url): url is string => typeof url === 'string' && /^https?:\/\/[^/]/i.test(url),
  )
}

/** A part of a URL without its percent-encoding, where that is one. */
export function percentDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The same of an image that may not show them yet. */
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

/** The delivery URL of a stored image for a variant, once it shows it. */
async function readDeliveryUrl(
  { readUntil, request }: ImagesWorld,
  id: string,
  variant: string,
): Promise<string> {
  const find = (exchange: HttpExchange) =>
    deliveryUrlsOf(exchange).find((url) => lastSegment(url) === variant)
  const url = find(await readUntil(request.get(id), (exchange) => find(exchange) !== undefined))
  if (url === undefined)
    throw new Blocked('IMG-IMAGE-10', `the image shows no delivery URL for the variant ${variant}`)
  return url
}

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

/** The same of an image that came by a ticket. */
export async function deliveryUrlOfDirectUpload(
  world: ImagesWorld,
  variant: string,
  requireSignedURLs: boolean,
): Promise<string> {
  const { id, uploadURL } = await world.createTicket({ requireSignedURLs }, 'IMG-TICKET-05')
  await world.sendOrBlock(world.request.complete(uploadURL))
  return readDeliveryUrl(world, id, variant)
}

/** Expects that one of two images is delivered and the other is not. */
export async function expectOnlyFirstDelivered(
  world: ImagesWorld,
  publicUrl: string,
  privateUrl: string,
): Promise<void> {
  const contrast = await world.fetchDelivered(withoutQuery(publicUrl), delivered.test)
  if (!delivered.test(contrast))
    throw new Blocked('IMG-SERVICE-01', `a public image gave ${contrast.summary}`)
  world.expect(await world.fetchDelivered(withoutQuery(privateUrl)), notDelivered(contrast.body))
}

/** An image read when it shows delivery URLs: there is a variant that it can show. */
export async function readWithDeliveryUrls(
  { sharedVariant, readUntil, request }: ImagesWorld,
  id: string,
): Promise<HttpExchange> {
  await sharedVariant()
  const read = await readUntil(request.get(id), (exchange) => deliveryUrlsOf(exchange).length > 0)
  const variants = jsonAt(read, 'result', 'variants')
  if (!Array.isArray(variants) || variants.length === 0)
    throw new Blocked('IMG-IMAGE-10', 'the image shows no delivery URLs')
  return read
}

/** The parts of a delivery URL below the delivery root; undefined where it is not of the stated shape. */
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
